/**
 * Words for the owner about files that were not read (B-27, H-15): one sentence each, by kind and reason. Must not
 * contain the name or text of a file. Called by synthesize.ts.
 */
import type { Place } from '../../flow/place.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { FileKind } from '../../task/event.ts'
import type { Attached } from '../../task/task.ts'
import type { Chats } from '../../tool/channel.ts'

const WHAT: Readonly<Record<FileKind, readonly [one: string, many: string]>> = Object.freeze({
  text: ['the file', 'files like this one'],
  pdf: ['the PDF', 'PDFs'],
  document: ['the document', 'documents of this kind'],
  photo: ['the photo', 'photos'],
  voice: ['the voice note', 'voice notes'],
  audio: ['the recording', 'recordings'],
  video: ['the video', 'videos'],
  sticker: ['the sticker', 'stickers'],
  place: ['the place', 'places on a map'],
  contact: ['the contact', 'contact cards'],
  poll: ['the poll', 'polls'],
  other: ['what you sent', 'messages of this kind'],
})

/** One sentence per file, without duplicates. `place`: where they were to be read. */
export function unreadWords(
  { files }: Pick<Attached, 'files'>,
  { place, chats }: { readonly place: Place; readonly chats: Chats },
): readonly string[] {
  const by = fetching(chats)
  const said = files.flatMap(({ kind, read }) =>
    read === undefined || read === true ? [] : [sentence(kind, read, { place, by })],
  )
  return [...new Set(said)]
}

/** The chats from which files can be fetched, by the owner's names for them. */
function fetching(chats: Chats): string {
  return Object.values(chats)
    .flatMap(({ title, fetches }) => (fetches ? [title] : []))
    .join(' or ')
}

function sentence(
  kind: FileKind,
  why: ReasonCode,
  { place, by }: { readonly place: Place; readonly by: string },
): string {
  const [one, many] = WHAT[kind]
  const unread = `I did not read ${one}:`
  const isSound = kind === 'voice' || kind === 'audio'
  if (isSound && HEARING[why] !== undefined) return `I did not hear ${one}: ${HEARING[why]}`
  if (kind === 'photo' && LOOKING[why] !== undefined) return `I did not look at the photo: ${LOOKING[why]}`
  switch (why) {
    case 'tool_unknown':
      if (kind === 'pdf') return onlyBy(by)
      return kind === 'photo'
        ? noEyes(by)
        : `I cannot read ${many} yet, so I know nothing of what is in ${one}. ${isSound ? listener(by) : readable(by)}`
    case 'response_too_large':
      return place === 'edge' && LARGEST[kind] !== undefined
        ? `${unread} it is larger than the ${kind === 'photo' ? '600' : '750'} KB that I take in here. Send it to me on your line at home: there I take ${LARGEST[kind]}.`
        : `${unread} it is larger than the ${LARGEST[kind] ?? '256 KB of text'} that I take in.`
    case 'home_offline':
      return `${unread} ${AWAY}`
    case 'field_malformed':
      if (kind === 'document') return `${unread} it is of no kind that I can read. ${readable(by)}`
      return kind === 'pdf'
        ? `${unread} it says that it is a PDF, and is none that can be read.`
        : `${unread} it says that it is plain text, and is not.`
    case 'nothing_found':
      return `${unread} there is no text in it. It may be a scan: of a PDF I read the text alone.`
    case 'key_unavailable':
      return `${unread} it wants a password. Please send it without one.`
    case 'sandbox_missing':
      return `${unread} your machine at home cannot wall off the process that would take it apart. \`pfar doctor\` says what is missing.`
    case 'tool_failed':
      return `${unread} to take it apart took more time or memory than I give to a file.`
    case 'remote_not_found':
      return `I could not fetch ${one}: it is not there any more. Please send it again.`
    case 'plan_too_long':
      return `${unread} I take three files at a time.`
    default:
      return `I could not fetch ${one} just now. Please send it again in a while.`
  }
}

const readable = (by: string): string =>
  `What I can read, by ${by}, is plain text (.txt, .md, .csv, .json or .ics), PDFs, and Word, Excel, PowerPoint and OpenDocument files; all but plain text is read at home.`
const onlyBy = (by: string): string =>
  `I cannot read PDFs here, so I know nothing of what is in the PDF. By ${by} I can.`
const noEyes = (by: string): string =>
  `I cannot look at photos here, so I know nothing of what is in the photo. With a model of your own at home that takes pictures I could, in ${by}: docs/chats.md says more.`
const listener = (by: string): string =>
  `By ${by} I can, once \`[speech]\` in the config.toml at home names a server of yours that writes down what is said.`

const AWAY = 'that is done at home, and home is away. Please send it again when it is back.'

const LARGEST: Partial<Readonly<Record<FileKind, string>>> = Object.freeze({
  pdf: '10 MB of a PDF',
  document: '10 MB of a document',
  photo: '5 MB of a picture',
  voice: '10 MB of a recording',
  audio: '10 MB of a recording',
})

const NO_SERVER = 'the server that `[speech]` names gives no answer. `pfar doctor` says more.'

/** For sounds only. */
const HEARING: Partial<Readonly<Record<ReasonCode, string>>> = Object.freeze({
  field_malformed: 'it is no sound that can be listened to.',
  nothing_found: 'there are no words in it.',
  home_offline: AWAY,
  tool_failed: 'it took longer than I wait.',
  model_not_cleared:
    'the server that `[speech]` names is another company’s, and you have not agreed that one may hear what you say here.',
  model_unavailable: NO_SERVER,
  model_timeout: NO_SERVER,
  model_overloaded: NO_SERVER,
  model_misconfigured:
    'the server that `[speech]` names does not take what it is asked: look at its model and its key.',
  model_garbled: 'the server that `[speech]` names answers, and not as one that writes down what is said.',
})

const NO_SIGHT = 'the model that `[vision]` names gives no answer. `pfar doctor` says more.'

/** For pictures only. */
const LOOKING: Partial<Readonly<Record<ReasonCode, string>>> = Object.freeze({
  field_malformed: 'it is no JPEG, PNG or WebP, which are the pictures that I can look at.',
  nothing_found: 'the model that `[vision]` names saw nothing in it.',
  home_offline: AWAY,
  model_unavailable: NO_SIGHT,
  model_failed: NO_SIGHT,
  model_timeout: NO_SIGHT,
  model_overloaded: NO_SIGHT,
  model_resting: NO_SIGHT,
  model_misconfigured:
    'the model that `[vision]` names does not take what it is asked: `pfar doctor` says more.',
  model_garbled: 'the model that `[vision]` names answers, and not as a model does.',
  model_budget_spent: 'what models may cost today is spent. `pfar usage` shows on what.',
  prompt_too_large: 'the `window` of the model that `[vision]` names is too small to be asked.',
})
