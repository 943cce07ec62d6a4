/**
 * Sender, signature and files of a mail: files of the owner's folders or of another mail, or those of a forwarded mail. They are
 * looked up for the card and again for sending, which refuses any difference. Must not open a path that somebody wrote, or trust
 * a name. Called by run.ts.
 */
import { decodeWords } from 'postal-mime'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { meantBy } from '../../extractors/file-name.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { MOST_ENCLOSED, SOURCE_TEXT } from './actions/enclosed-actions.ts'
import type { Mailbox, MailFile, MailPowers, OwnFiles, PickFiles } from './mailbox-port.ts'
import { fromLine, type WrittenAs } from './message/sender.ts'
import { shapeListed } from './shape.ts'

type Args = ToolCall['args']

/** Maximum UTF-16 units of a file's name in a mail, and of its path on a card. */
const MOST_NAME = 100
const MOST_PATH = 180
/** Maximum UTF-16 units of a sender's file name that are decoded. */
const MOST_GIVEN = 2_000
/** Hex digits of a digest on a card: nobody can make two files that agree in that many. */
const SHOWN_DIGITS = 32

interface Enclosed {
  /** Name or path as shown on the card. */
  readonly from: string
  readonly file: MailFile
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string
}

type Named = Omit<Enclosed, 'digest'>

interface Sources {
  readonly mailbox: Mailbox
  readonly ownFiles: OwnFiles | undefined
  readonly digest: MailPowers['digest'] | undefined
  /** The mail whose files are forwarded; null for a reply, whose recipient has them, and for a new mail. */
  readonly sentOn: string | null
  readonly written: WrittenAs
}

/** What would be included, and one version for all of it: sender, signature, and names, types and bytes of the files. */
interface Found {
  readonly enclosed: readonly Enclosed[]
  readonly version?: string
}

/** `email.enclosed`: sender, signature, one line per file, and their version if the owner chose any of them. */
export async function lookEnclosed(args: Args, sources: Sources): Promise<ToolOutcome> {
  const found = await enclosedIn(args, sources)
  if (!found.ok) return found
  const { enclosed, ...version } = found.value
  const source = await sourceOf(args, sources)
  if (!source.ok) return source
  const { from, signature } = sources.written
  const output = {
    ...(from !== null && { from: fromLine(from) }),
    ...(signature !== null && { signature }),
    files: enclosed.map((one) => ({ file: shown(one) })),
    ...(source.value !== null && { source: source.value }),
    ...version,
  }
  return { ok: true, output }
}

/**
 * The files of a mail that is being sent. Refusals: event_changed if files, sender or signature differ from what was approved;
 * those of `lookEnclosed`.
 */
export async function filesToSend(args: Args, sources: Sources): Promise<Result<readonly MailFile[]>> {
  const found = await enclosedIn(args, sources)
  if (!found.ok) return found
  const { enclosed, version } = found.value
  return version === args['version'] ? ok(enclosed.map(({ file }) => file)) : err('event_changed')
}

/**
 * Files of the mail come first. Refusals: folder_not_named, file_ambiguous, remote_not_found, nothing_found for a mail without
 * such a file, file_too_large, tool_arguments_invalid, mail_cannot_send; those of folders and of the mailbox.
 */
async function enclosedIn(args: Args, sources: Sources): Promise<Result<Found>> {
  const { mailbox, ownFiles, digest, sentOn, written } = sources
  const typed = Array.isArray(args['files']) ? args['files'].map(String) : []
  const of = typeof args['filesFrom'] === 'string' ? args['filesFrom'] : null
  const passed =
    of !== null
      ? await mailbox.files(of, MOST_ENCLOSED, pickerOf(typed))
      : sentOn === null
        ? ok<readonly MailFile[]>([])
        : await mailbox.files(sentOn, MOST_ENCLOSED, chosenBy(args))
  if (!passed.ok) return passed
  const own = await namedFiles(of === null ? typed : [], ownFiles)
  if (!own.ok) return own
  const all = [...passed.value.map(cleaned), ...own.value]
  if (all.length === 0 && written.plain) return ok({ enclosed: [] })
  const bytes = all.reduce((sum, { file }) => sum + file.bytes.length, 0)
  if (all.length > MOST_ENCLOSED.count || bytes > MOST_ENCLOSED.bytes) return err('file_too_large')
  if (digest === undefined) return err('mail_cannot_send')
  const enclosed: Enclosed[] = []
  for (const one of all) enclosed.push({ ...one, digest: await digest(one.file.bytes) })
  const parts = enclosed.map(({ from, file: { name, type }, digest: of }) => [from, name, type, of])
  const { from, signature } = written
  const whole = written.plain ? parts : [from?.address ?? null, from?.name ?? null, signature, parts]
  return ok({ enclosed, version: await digest(new TextEncoder().encode(JSON.stringify(whole))) })
}

/** Common words for kinds of files, used if no name contains the word. */
const KINDS: readonly { readonly called: RegExp; readonly ending: RegExp }[] = [
  {
    called: /^(?:picture|photo|image|bild|foto)s?$|^bilder$/i,
    ending: /\.(?:png|jpe?g|gif|heic|webp|tiff?)$/i,
  },
  { called: /^(?:spreadsheet|table|sheet|tabelle)[sn]?$/i, ending: /\.(?:xlsx?|ods|csv)$/i },
  { called: /^(?:presentation|präsentation|slides)(?:s|en)?$/i, ending: /\.(?:pptx?|odp|key)$/i },
  { called: /^pdfs?$/i, ending: /\.pdf$/i },
  { called: /^(?:word (?:file|document)|word-?datei|word-?dokument)$/i, ending: /\.(?:docx?|odt)$/i },
]

/** Selects exactly one file of the mail per name, by the rules for folders; without names, all files. */
function pickerOf(typed: readonly string[]): PickFiles {
  return (names) => {
    const files = names.map((given, place) => ({
      path: fileName(decodeWords(given.slice(0, MOST_GIVEN))),
      place,
    }))
    const picked = new Set<number>(typed.length === 0 ? files.map(({ place }) => place) : [])
    for (const one of typed) {
      const kind = KINDS.find(({ called }) => called.test(one.trim()))
      const named = meantBy(one.slice(0, MOST_PATH), files)
      const ofKind = named.is === 'none' && kind ? files.filter(({ path }) => kind.ending.test(path)) : []
      const meant = named.is === 'one' ? [named.file] : named.is === 'several' ? named.files : ofKind
      const [only, ...others] = meant
      if (only === undefined) return err('nothing_found')
      if (others.length > 0) return err('file_ambiguous')
      picked.add(only.place)
    }
    return picked.size === 0 ? err('nothing_found') : ok([...picked])
  }
}

/**
 * Selects the files of a forwarded mail; all if none are chosen. Refusal of the picker: nothing_found for a name that matches no
 * file.
 */
function chosenBy(args: Args): PickFiles | undefined {
  const named = (key: string): readonly string[] => (Array.isArray(args[key]) ? args[key].map(String) : [])
  const [only, without] = [named('only'), named('without')]
  if (only.length === 0 && without.length === 0) return undefined
  return (names) => {
    const files = names.map((given, place) => ({
      path: fileName(decodeWords(given.slice(0, MOST_GIVEN))),
      place,
    }))
    const fit = (one: string): readonly number[] => {
      const named = meantBy(one.slice(0, MOST_PATH), files)
      const kind = KINDS.find(({ called }) => called.test(one.trim()))
      const ofKind = kind === undefined ? [] : files.filter(({ path }) => kind.ending.test(path))
      const meant = named.is === 'one' ? [named.file] : named.is === 'several' ? named.files : ofKind
      return meant.map(({ place }) => place)
    }
    const chosen = [...only, ...without].map(fit)
    if (chosen.some(({ length }) => length === 0)) return err('nothing_found')
    const stay = new Set(without.flatMap(fit))
    const go = only.length === 0 ? files.map(({ place }) => place) : only.flatMap(fit)
    return ok([...new Set(go)].filter((place) => !stay.has(place)))
  }
}

/**
 * Sender's address, date and subject of the mail that the files come from; the address comes first, because it is no free text.
 * Null if they come from no mail.
 */
async function sourceOf(args: Args, { mailbox }: Sources): Promise<Result<string | null>> {
  const of = args['filesFrom']
  if (typeof of !== 'string') return ok(null)
  const message = await mailbox.read(of)
  const mail = message.ok ? shapeListed(message.value) : message
  if (!mail.ok) return mail
  const { from = '?', subject, date } = mail.value
  return ok(cleanLine(`${from}, ${date.slice(0, 10)}: ${subject}`, SOURCE_TEXT))
}

/** The mail that an action forwards with its files; null if it does not. */
export function sentOnBy(action: string, { id, attachments }: Args): string | null {
  const passes = action === 'email.forward' || action === 'email.enclosed'
  return passes && typeof id === 'string' && attachments !== 'none' ? id : null
}

async function namedFiles(
  typed: readonly string[],
  ownFiles: OwnFiles | undefined,
): Promise<Result<readonly Named[]>> {
  const found = new Map<string, Named>()
  let left = MOST_ENCLOSED.bytes
  for (const one of typed) {
    const file = ownFiles === undefined ? err('folder_not_named') : await ownFiles.find(one, left)
    if (!file.ok) return file
    const { path, name: given, bytes } = file.value
    // A name that cannot be shown exactly could be mistaken for another one.
    if (path.includes('\ufffd') || path.length > MOST_PATH)
      return err('tool_arguments_invalid', { rule: 'file_name' })
    if (!found.has(path)) left -= bytes.length
    const name = fileName(given)
    found.set(path, { from: path, file: { name, type: typeOf(name, null), bytes } })
  }
  return ok([...found.values()])
}

function cleaned(file: MailFile): Named {
  const name = fileName(decodeWords(file.name.slice(0, MOST_GIVEN)))
  return { from: name, file: { ...file, name, type: typeOf(name, file.type) } }
}

/** Characters that reorder text, end a line, separate folders, or are invisible. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}"\\/:*?<>|;=]+/gu
const ENDING = /\.[A-Za-z0-9]{1,10}$/

/** The name that the recipient sees: one plain line with its extension, without a folder, not hidden. */
export function fileName(given: string): string {
  const line = given
    .normalize('NFC')
    .replace(UNFIT, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s._-]+|[\s.]+$/gu, '')
  if (line.length <= MOST_NAME) return line === '' ? 'attachment' : line
  const [ending = ''] = ENDING.exec(line) ?? []
  return `${line.slice(0, MOST_NAME - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`
}

const MIME_TYPE = /^(?:application|audio|font|image|text|video)\/[a-z0-9][a-z0-9.+-]{0,60}$/
/** Mails and forms inside a mail, which programs would take apart. */
const BY_CONTENT = /\.(?:eml|mht|mhtml|mime|nws|p7m|p7s)$/i
const BYTES = 'application/octet-stream'

function typeOf(name: string, given: string | null): string | null {
  if (BY_CONTENT.test(name)) return BYTES
  if (given === null) return null
  const type = given.toLowerCase()
  return MIME_TYPE.test(type) ? type : BYTES
}

/** Size and digest come before the name, so that no name can imitate them. */
function shown({ from, file: { bytes }, digest }: Enclosed): string {
  const size = String(bytes.length).replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${size} bytes, SHA-256 ${digest.slice(0, SHOWN_DIGITS)}: ${from}`
}
