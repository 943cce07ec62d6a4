/**
 * Files attached to the owner's message (B-27, H-15): which are fetched, up to what size, and what is stored. Text
 * and names of a file bear the label and taint of quoted text (C-09, C-10), so writers read them and planners do not.
 * Its type is taken from its bytes. Must only fetch for the owner. Called by intake.ts and drive.ts.
 */
import { combine, derive, type Provenance } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { readerFor } from '../../inference/router.ts'
import { type AskNamedPorts, askLooker } from '../../model-call/model-call.ts'
import { audit } from '../../powers/audit.ts'
import type {
  AtPlace,
  Clock,
  CostNotes,
  Files,
  Ids,
  Looker,
  Redaction,
  Templates,
} from '../../powers/ports.ts'
import { keepText, openTextOf, RAW_LIFETIME, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { Attachment, FileKind } from '../../task/event.ts'
import { MOST_PICTURE, MOST_PICTURE_FORWARDED } from '../../task/picture.ts'
import type { Attached, Task, TaskFile } from '../../task/task.ts'
import { MOST_FORWARDED } from '../../tunnel/ask.ts'
import { withoutKnown } from '../../wording/guard/pasted.ts'
import { acknowledgesCloud } from '../models/consent.ts'
import type { Routed } from '../people/route.ts'
import type { FileText } from './file-port.ts'

export const FILE_BOUNDS = Object.freeze({
  /** Maximum bytes of a plain text: the edge has little CPU time, and a prompt little space. */
  bytes: 262_144,
  /** Maximum bytes of a PDF: mostly fonts and pictures, and home holds all of it in memory. */
  pdf: 10_485_760,
  /** Maximum bytes of an office document, for the same reasons. */
  document: 10_485_760,
  picture: MOST_PICTURE,
  /** Maximum bytes of a sound: hours of a voice note. */
  sound: 10_485_760,
  /** Maximum UTF-16 units of a transcript that may be offered as a message: the owner must read all of it before approving. */
  heard: 1_500,
  /** Maximum UTF-16 units of all text read for one message: it must not fill the writer's prompt. */
  text: 20_000,
  /** Maximum files fetched for one message; each takes two requests. */
  fetched: 3,
  /** Maximum UTF-16 units of a file name in a writer's prompt. */
  name: 120,
})

/** Media types declared as text, whose format needs no reader of its own. */
const TEXT_TYPES =
  /^(?:text\/(?:plain|markdown|x-markdown|csv|calendar|tab-separated-values)|application\/json)$/
/** For a file without a media type; some apps send none. */
const TEXT_NAMES = /\.(?:txt|md|markdown|csv|tsv|json|ics|log)$/i
const UNTYPED = 'application/octet-stream'
const PDF_TYPE = 'application/pdf'
const PDF_NAME = /\.pdf$/i
const PICTURE_TYPE = /^image\/(?:jpeg|png|webp)$/
const PICTURE_NAME = /\.(?:jpe?g|png|webp)$/i

/** Maximum bytes fetched by kind; each place declares which kinds it can read. */
const MOST: Partial<Readonly<Record<FileKind, number>>> = Object.freeze({
  text: FILE_BOUNDS.bytes,
  pdf: FILE_BOUNDS.pdf,
  document: FILE_BOUNDS.document,
  photo: FILE_BOUNDS.picture,
  voice: FILE_BOUNDS.sound,
  audio: FILE_BOUNDS.sound,
})

/** The same at the edge, for kinds that home reads on its behalf. */
const MOST_AT_EDGE: typeof MOST = Object.freeze({
  pdf: MOST_FORWARDED,
  document: MOST_FORWARDED,
  photo: MOST_PICTURE_FORWARDED,
  voice: MOST_FORWARDED,
  audio: MOST_FORWARDED,
})

const SOUNDS: readonly FileKind[] = ['voice', 'audio']

interface Attaching {
  readonly attached: Attached
  readonly put: () => void
}

/** Facts about files that are recorded at intake; null when there are none, or they are not the owner's. */
export async function attach(
  powers: SealedReading & Ids & Redaction,
  { event, principal, quoted }: Routed,
): Promise<Attaching | null> {
  if (event.attachments.length === 0 || quoted === null) return null
  const names = event.attachments.map(({ name }) => withoutKnown(powers, shownName(name)).text).join('\n')
  const until = powers.now() + RAW_LIFETIME
  const sealed = await sealForLater(
    powers,
    { principal: principal.id, store: 'sessions', until },
    receive(names, quoted),
  )
  const files = event.attachments.map(fileOf)
  const attached = { files, names: sealed.ref, ...(isSpokenAlone(event) && { speaker: event.source.user }) }
  return { attached, put: sealed.put }
}

/** Whether the message is only a voice recording of the owner. */
function isSpokenAlone({ text, quoted, attachments }: Routed['event']): boolean {
  return (
    text.trim() === '' && quoted.length === 0 && attachments.length === 1 && attachments[0]?.spoken === true
  )
}

/** Keeps no text of the sender, except values from a closed list. */
function fileOf({ kind, mediaType, name, size, ref }: Attachment): TaskFile {
  return { kind: kind === 'document' ? documentKind(mediaType, name) : kind, size, ref }
}

function documentKind(mediaType: string, name: string): FileKind {
  const isUntyped = mediaType === UNTYPED
  if (TEXT_TYPES.test(mediaType) || (isUntyped && TEXT_NAMES.test(name))) return 'text'
  // Handled like a picture that was sent as a photo.
  if (PICTURE_TYPE.test(mediaType) || (isUntyped && PICTURE_NAME.test(name))) return 'photo'
  return mediaType === PDF_TYPE || (isUntyped && PDF_NAME.test(name)) ? 'pdf' : 'document'
}

/** One line, without invisible characters. */
function shownName(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return [...line].slice(0, FILE_BOUNDS.name).join('')
}

/**
 * Fetches what can be read; every file not read has a reason. Null when none were attached. The transcript of the
 * owner's own recording is returned separately: it becomes their message only by their approval (heard.ts).
 */
export async function readFiles(
  powers: LookPorts & StoreOf<GrantStore>,
  task: Task,
): Promise<Attached | null> {
  const { attached } = task
  if (attached === undefined) return null
  const texts: (FileText | SeenText | null)[] = []
  const files: TaskFile[] = []
  for (const [index, file] of attached.files.entries()) {
    const text =
      index < FILE_BOUNDS.fetched ? await textOf(powers, { ...task, attached }, file) : err('plan_too_long')
    texts.push(text.ok ? withoutSecrets(powers, text.value) : null)
    files.push({ ...file, read: text.ok ? true : text.reason.code })
    audit(powers, 'file_read', task, {
      ...{ kind: file.kind, size: file.size, code: text.ok ? null : text.reason.code },
    })
  }
  const names = await openTextOf(powers, attached.names)
  const said = attached.speaker === undefined ? '' : oneLine(texts[0]?.text ?? '')
  if (!names.ok || texts.every((text) => text === null)) return { ...attached, files }
  const keeping = {
    principal: task.principal,
    store: 'sessions',
    until: powers.now() + RAW_LIFETIME,
  } as const
  if (said !== '' && said.length <= FILE_BOUNDS.heard) {
    const heard = derive(names.value, () => said)
    return { ...attached, files, heard: await keepText(powers, keeping, heard) }
  }
  // Bears the label of the file names, and of what a vision model read to describe a picture.
  const seen = texts.flatMap((read) => (read !== null && 'seen' in read ? [receive('', read.seen)] : []))
  const whole = combine([names.value, ...seen], ([known = '']) => blocks(files, texts, known.split('\n')))
  return { ...attached, files, text: await keepText(powers, keeping, whole) }
}

/** Normalises to one line without invisible characters, so that the owner approves exactly what they see. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}⟨⟩\u2800]+/gu, ' ').trim()
}

/** The text of a file without what looks like a known secret. */
function withoutSecrets<T extends FileText>(powers: Redaction, read: T): T {
  const { text, title } = read
  const shown = title === undefined ? {} : { title: withoutKnown(powers, title).text }
  return { ...read, text: withoutKnown(powers, text).text, ...shown }
}

/** The speech recogniser is a reader of the sound, checked like a model that reads a prompt (D-01 – D-07). */
function mayBeTranscribed(
  powers: Clock & AtPlace & Templates & Files & StoreOf<GrantStore>,
  { template: id }: Task,
  { names }: Attached,
): Result<true> {
  const template = powers.templates.find((one) => one.id === id)
  const reader = powers.files?.hears
  if (reader === undefined || template === undefined) return err(NO_READER)
  const consent = { ceiling: template.ceiling, cloudRiskAcknowledged: acknowledgesCloud(powers, id) }
  return readerFor({ ...consent, models: [{ reader }] }, names.label) === null
    ? err('model_not_cleared', { model: reader.id })
    : ok(true)
}

async function textOf(
  powers: LookPorts & StoreOf<GrantStore>,
  task: Task & { readonly attached: Attached },
  { kind, size, ref }: TaskFile,
): Promise<Result<FileText | SeenText>> {
  const { files } = powers
  const { sink, attached } = task
  const most = (powers.place === 'edge' ? MOST_AT_EDGE[kind] : undefined) ?? MOST[kind]
  const isRead = kind === 'text' || (kind === 'photo' ? looks(powers) : files?.reads?.includes(kind) === true)
  if (most === undefined || files === undefined || !isRead) return err(NO_READER)
  if (size > most) return err('response_too_large', { max: most })
  const cleared = SOUNDS.includes(kind) ? mayBeTranscribed(powers, task, attached) : ok(true)
  if (!cleared.ok) return cleared
  try {
    if (kind === 'photo') return await seenIn(powers, task, { ref, most })
    const read = await files.text({ ref, sink, kind }, most)
    // Checked again, in case the port ignored its limit.
    const isMore = read.ok && read.value.text.length > FILE_BOUNDS.bytes
    return isMore ? err('response_too_large', { max: FILE_BOUNDS.bytes }) : read
  } catch {
    return err('network_failed')
  }
}

/** No reader of this place supports the file's type. */
const NO_READER: ReasonCode = 'tool_unknown'

function blocks(
  files: readonly TaskFile[],
  texts: readonly (FileText | SeenText | null)[],
  names: readonly string[],
): string {
  const shown = texts.flatMap((read, index) => {
    if (read === null) return []
    const pages = read.pages === undefined ? '' : `, ${read.pages} pages`
    const title = read.title === undefined ? '' : `, with the title ${oneLine(read.title)}`
    const seen = 'seen' in read ? ', a picture as a model described it' : ''
    return [
      `File ${index + 1}, ${files[index]?.size ?? 0} bytes${pages}${seen}, called ${names[index] ?? ''}${title}:\n${read.text}`,
    ]
  })
  const whole = shown.join('\n\n')
  return whole.length <= FILE_BOUNDS.text ? whole : `${whole.slice(0, FILE_BOUNDS.text)}\n[…]`
}

export const LOOK = Object.freeze({
  /** Maximum UTF-16 units of one description: enough for a page of small print. */
  maxChars: 6_000,
  maxTokens: 2_000,
  /** Milliseconds: a small machine must load the model first, while the owner waits. */
  timeout: 180_000,
})

/** The description bears the provenance of everything its model read. */
interface SeenText extends FileText {
  readonly seen: Provenance
}

/** Whether pictures are described here. A cloud model never does it, whatever the owner acknowledged. */
function looks({ files, sees }: Looker & Files): boolean {
  return files?.picture !== undefined && sees?.reader.locality === 'home'
}

/** Ports needed to describe a picture. */
type LookPorts = AskNamedPorts & SealedReading & Templates & Looker & CostNotes & Files

/** Refusals: those of `FilePort.picture` and of a model; nothing_found when the model returns no text. */
async function seenIn(
  powers: LookPorts,
  task: Task & { readonly attached: Attached },
  { ref, most }: Pick<TaskFile, 'ref'> & { readonly most: number },
): Promise<Result<SeenText>> {
  const names = await openTextOf(powers, task.attached.names)
  if (!names.ok) return names
  const fetched = await powers.files?.picture?.({ ref, sink: task.sink }, most)
  if (fetched?.ok !== true) return fetched ?? err('tool_unknown')
  const { value } = fetched
  // Checked again, in case the port ignored its limit.
  if (value.data.length > base64Of(most)) return err('response_too_large', { max: most })
  // The picture bears the label of its file's name.
  const reply = await askLooker(powers, task, { ...LOOK, picture: derive(names.value, () => value) })
  if (!reply.ok) return reply.reason.code === 'answer_empty' ? err('nothing_found') : reply
  const { text, cut, provenance } = reply.value
  const isMore = cut || text.length > LOOK.maxChars
  const shown = text.slice(0, LOOK.maxChars).toWellFormed().trim()
  return ok({ text: isMore ? `${shown}\n[…]` : shown, seen: provenance })
}

/** Base64 characters for this many bytes. */
function base64Of(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
