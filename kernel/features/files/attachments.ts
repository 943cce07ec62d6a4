/**
 * Files that came with the owner's message (B-27, H-15): which of them are fetched, how much, and what is kept. A file is
 * somebody else's words, whoever sends it on: its text and its name bear the label and taint of what was quoted with the message
 * (C-09, C-10), so that writers read it and no planner does. What the owner said instead of writing it is kept apart, for him to
 * say whether those are his words (runtime/heard.ts). A claim of what it is can only keep it from being fetched; what it
 * is, its bytes say. Must not fetch for anybody but the owner. Called by the shell's intake and by drive.ts.
 */
import { combine, derive } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { readerFor } from '../../inference/router.ts'
import type { Routed } from '../../pipeline/route.ts'
import { audit } from '../../powers/audit.ts'
import type { AtPlace, Clock, Files, Ids, Redaction, Templates } from '../../powers/ports.ts'
import { keepText, openTextOf, RAW_LIFETIME, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { Attachment, FileKind } from '../../task/event.ts'
import { MOST_PICTURE, MOST_PICTURE_CARRIED } from '../../task/picture.ts'
import type { Attached, Task, TaskFile } from '../../task/task.ts'
import { MOST_CARRIED } from '../../tunnel/file-ask.ts'
import { withoutKnown } from '../deliveries/without-known.ts'
import { acknowledgesCloud } from '../models/consent.ts'
import type { FileText } from './file-port.ts'
import { type LookPorts, looks, type SeenText, seenIn } from './pictures.ts'

export const FILE_BOUNDS = Object.freeze({
  /** Bytes of a plain text that is read: the edge has little time, and a prompt little room. */
  bytes: 262_144,
  /** Bytes of a PDF: its fonts and pictures are most of it, and home holds the whole of it at once. */
  pdf: 10_485_760,
  picture: MOST_PICTURE,
  /** Bytes of a sound: hours of a voice note, and more than anybody waits for. */
  sound: 10_485_760,
  /** UTF-16 units of what was heard that may be offered as a message: its owner reads all of it before he says yes. */
  heard: 1_500,
  /** UTF-16 units of all that is read of one message: it must not fill the writer's prompt. */
  text: 20_000,
  /** Files that are fetched for one message: each is two requests. */
  fetched: 3,
  /** UTF-16 units of a name, as a writer sees it. */
  name: 120,
})

/** What says of itself that it is text, and has no marks of its own that a reader would need. */
const TEXT_TYPES =
  /^(?:text\/(?:plain|markdown|x-markdown|csv|calendar|tab-separated-values)|application\/json)$/
/** Of a file without a type: some apps know none. */
const TEXT_NAMES = /\.(?:txt|md|markdown|csv|tsv|json|ics|log)$/i
const UNTYPED = 'application/octet-stream'
const PDF_TYPE = 'application/pdf'
const PDF_NAME = /\.pdf$/i
const PICTURE_TYPE = /^image\/(?:jpeg|png|webp)$/
const PICTURE_NAME = /\.(?:jpe?g|png|webp)$/i

/** Bytes that are fetched of what can be read at all; whether it can be read here, its place says. */
const MOST: Partial<Readonly<Record<FileKind, number>>> = Object.freeze({
  text: FILE_BOUNDS.bytes,
  pdf: FILE_BOUNDS.pdf,
  photo: FILE_BOUNDS.picture,
  voice: FILE_BOUNDS.sound,
  audio: FILE_BOUNDS.sound,
})

/** The same at the edge, of what home reads for it. */
const MOST_AT_EDGE: typeof MOST = Object.freeze({
  pdf: MOST_CARRIED,
  photo: MOST_PICTURE_CARRIED,
  voice: MOST_CARRIED,
  audio: MOST_CARRIED,
})

const SOUNDS: readonly FileKind[] = ['voice', 'audio']

interface Attaching {
  readonly attached: Attached
  readonly put: () => void
}

/** What is noted of files when their message is taken in; null where there are none, or they are not the owner's. */
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

/** He said it instead of writing it: his own recording, and nothing beside it. */
function isSpokenAlone({ text, quoted, attachments }: Routed['event']): boolean {
  return (
    text.trim() === '' && quoted.length === 0 && attachments.length === 1 && attachments[0]?.spoken === true
  )
}

/** Nothing of it was written by its sender, but for what a closed list took over. */
function fileOf({ kind, mediaType, name, size, ref }: Attachment): TaskFile {
  return { kind: kind === 'document' ? documentKind(mediaType, name) : kind, size, ref }
}

function documentKind(mediaType: string, name: string): FileKind {
  const isUntyped = mediaType === UNTYPED
  if (TEXT_TYPES.test(mediaType) || (isUntyped && TEXT_NAMES.test(name))) return 'text'
  // As good as one that was sent as a photo.
  if (PICTURE_TYPE.test(mediaType) || (isUntyped && PICTURE_NAME.test(name))) return 'photo'
  return mediaType === PDF_TYPE || (isUntyped && PDF_NAME.test(name)) ? 'pdf' : 'document'
}

/** One line, without characters that nobody sees. */
function shownName(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return [...line].slice(0, FILE_BOUNDS.name).join('')
}

/** Fetches what can be read; what is not read has its reason. Null where nothing came. */
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
    texts.push(text.ok ? { ...text.value, text: withoutKnown(powers, text.value.text).text } : null)
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
  // As labelled as the names, which came with them, and as what a model read to make words of a picture.
  const seen = texts.flatMap((read) => (read !== null && 'seen' in read ? [receive('', read.seen)] : []))
  const whole = combine([names.value, ...seen], ([known = '']) => blocks(files, texts, known.split('\n')))
  return { ...attached, files, text: await keepText(powers, keeping, whole) }
}

/** A line, as words that are typed in a hurry: what nobody sees in it would not be what its owner says yes to. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}⟨⟩\u2800]+/gu, ' ').trim()
}

/** Whoever hears a sound is a reader of it, as a model is of a prompt (D-01 – D-07). */
function mayBeHeard(
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
  const cleared = SOUNDS.includes(kind) ? mayBeHeard(powers, task, attached) : ok(true)
  if (!cleared.ok) return cleared
  try {
    if (kind === 'photo') return await seenIn(powers, task, { ref, most })
    const read = await files.text({ ref, sink, kind }, most)
    // A port that took more than it was told to is not believed either.
    const isMore = read.ok && read.value.text.length > FILE_BOUNDS.bytes
    return isMore ? err('response_too_large', { max: FILE_BOUNDS.bytes }) : read
  } catch {
    return err('network_failed')
  }
}

/** Nothing here reads what this is. */
export const NO_READER: ReasonCode = 'tool_unknown'

function blocks(
  files: readonly TaskFile[],
  texts: readonly (FileText | SeenText | null)[],
  names: readonly string[],
): string {
  const shown = texts.flatMap((read, index) => {
    if (read === null) return []
    const pages = read.pages === undefined ? '' : `, ${read.pages} pages`
    const seen = 'seen' in read ? ', a picture as a model described it' : ''
    return [
      `File ${index + 1}, ${files[index]?.size ?? 0} bytes${pages}${seen}, called ${names[index] ?? ''}:\n${read.text}`,
    ]
  })
  const whole = shown.join('\n\n')
  return whole.length <= FILE_BOUNDS.text ? whole : `${whole.slice(0, FILE_BOUNDS.text)}\n[…]`
}
