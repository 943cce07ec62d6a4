/**
 * A mailbox over Gmail's REST API. Requests only the fields that it returns, and can send only at an emulator (I-11). Must not
 * store the credential or retry a write. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, isPathId, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson, UNCLEAR } from '../remote.ts'
import { LABELS, LABELS_PATH, labelNamed, labelsOf, newLabel, placeNamed } from './gmail-labels.ts'
import type {
  ChangedMails,
  FilesBound,
  FoundMails,
  Letter,
  Mailbox,
  MailFile,
  MailPowers,
  MailQuery,
  PickFiles,
} from './mailbox-port.ts'
import type { EmailFolder, EmailMark } from './manifest.ts'
import { partsOfName } from './message/mailbox.ts'
import { attachmentsIn, partsOf } from './message/mime.ts'
import { fileNameIn } from './shape.ts'

/** Maximum number of ids of one Gmail page. */
const MAX_COUNTED = 500
/** Concurrent message requests: Gmail limits them per user. */
const PARALLEL = 5
/** Partial response: headers and the outline of the parts, three levels deep, without any body. */
const OUTLINE = 'filename,mimeType,parts(filename,mimeType,parts(filename,mimeType))'
const LISTED_FIELDS = `id,labelIds,snippet,internalDate,payload(headers,${OUTLINE})`
const MESSAGES = '/gmail/v1/users/me/messages'

interface LabelChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

const MARKS: Readonly<Record<EmailMark, LabelChange>> = {
  read: { add: [], remove: ['UNREAD'] },
  unread: { add: ['UNREAD'], remove: [] },
  flagged: { add: ['STARRED'], remove: [] },
  unflagged: { add: [], remove: ['STARRED'] },
}

/** In Gmail an archived mail has no inbox label. The trash has API calls of its own. */
const MOVES: Readonly<Record<Exclude<EmailFolder, 'trash'>, LabelChange | null>> = {
  inbox: { add: ['INBOX'], remove: ['SPAM'] },
  archive: { add: [], remove: ['INBOX', 'SPAM'] },
  spam: { add: ['SPAM'], remove: ['INBOX'] },
  ...{ sent: null, drafts: null },
}

export interface GmailOptions {
  readonly base: string
  /** False at Google itself: the owner's permission is used for reading and filing, not for sending. */
  readonly sends: boolean
  readonly compose: MailPowers['compose']
}

/** Paths that send: a message, a draft, and the same as an upload. */
const SENDS = /\/(?:upload\/.*|.*\/send)\/?$/

/** A client that refuses every path by which Gmail sends (I-11). */
export function withoutSending(http: ToolCall['http']): ToolCall['http'] {
  return {
    request: async (request) =>
      SENDS.test(URL.parse(request.url)?.pathname ?? '/send')
        ? err('mail_cannot_send')
        : http.request(request),
  }
}

export function openGmail(given: ToolCall, { base, sends, compose }: GmailOptions): Mailbox {
  const call = sends ? given : { ...given, http: withoutSending(given.http) }
  const post = (path: string, body: JsonRecord): Promise<Result<JsonRecord>> =>
    callJson(call, { method: 'POST', url: new URL(path, base).href, body })

  /**
   * In batches; counts mails that were deleted meanwhile. If the outcome of a batch is unknown, or others were changed already,
   * the result says so, because a plain refusal would read as if nothing had been done. `changed`: number of mails known to be
   * changed.
   */
  const change = async (
    ids: readonly string[],
    one: (id: string) => Promise<Result<JsonRecord>>,
  ): Promise<Result<ChangedMails>> => {
    if (!ids.every(isPathId)) return err('tool_arguments_invalid', { rule: 'id' })
    const changed: string[] = []
    for (let at = 0; at < ids.length; at += PARALLEL) {
      const group = ids.slice(at, at + PARALLEL)
      const made = await Promise.all(group.map(one))
      changed.push(...group.filter((_, index) => made[index]?.ok === true))
      const failures = made.flatMap((done) =>
        done.ok || done.reason.code === 'remote_not_found' ? [] : [unclear(done).reason],
      )
      const [first] = failures
      if (first === undefined) continue
      const { code, facts } = failures.find((one) => one.code === 'write_outcome_unknown') ?? first
      if (code !== 'write_outcome_unknown' && changed.length === 0) return err(code, facts)
      return err('write_outcome_unknown', {
        ...{ after: facts['after'] ?? code, changed: changed.length, of: ids.length },
      })
    }
    return ok({ ids: changed, changed: changed.length, gone: ids.length - changed.length })
  }
  const label = (id: string, { add, remove }: LabelChange): Promise<Result<JsonRecord>> =>
    post(`${MESSAGES}/${id}/modify`, { addLabelIds: add, removeLabelIds: remove })
  /** Takes the mail out of the trash first, which has no effect on a mail elsewhere. */
  const takeOut = async (id: string, labels: LabelChange): Promise<Result<JsonRecord>> => {
    const out = await post(`${MESSAGES}/${id}/untrash`, {})
    if (!out.ok) return out
    const done = await label(id, labels)
    // The mail has left the trash, whatever happened to its labels.
    return done.ok ? done : err('write_outcome_unknown', { after: done.reason.code })
  }

  /** The raw bytes of a letter in the encoding that Gmail accepts (RFC 4648 §5). */
  const rawOf = async (letter: Letter): Promise<string> => toBase64Url(await compose(letter, null, true))

  return {
    find: (query) => find(call, base, query),
    folders: () => labelsOf(call, base),
    newFolder: (name) => newLabel(call, base, name),
    makeFolder: async (name, place) => {
      const fits = await newLabel(call, base, name)
      if (!fits.ok) return fits
      if (place !== null && place !== fits.value.place) return err('event_changed')
      const made = await post(LABELS_PATH, { name })
      return made.ok ? fits : unclear(made)
    },
    unread: async () => {
      const listed = await listIds(call, base, { labels: ['INBOX', 'UNREAD'], most: MAX_COUNTED, q: '' })
      if (!listed.ok) return listed
      return ok({ unread: listed.value.ids.length, more: listed.value.more })
    },
    read: (id) => (isPathId(id) ? getMessage(call, messageUrl(base, id)) : wrongId()),
    files: (id, most, pick) => (isPathId(id) ? filesOf(call, base, { id, most, pick }) : wrongId()),
    mark: (ids, as) => change(ids, (id) => label(id, MARKS[as])),
    move: async (ids, to) => {
      if (typeof to === 'object') {
        const own = await labelNamed(call, base, to.named)
        if (!own.ok) return own
        return change(ids, (id) => label(id, { add: [own.value.id], remove: ['INBOX', 'SPAM'] }))
      }
      if (to === 'trash') return change(ids, (id) => post(`${MESSAGES}/${id}/trash`, {}))
      const labels = MOVES[to]
      if (labels === null) return err('mail_folder_missing', { folder: to })
      return change(ids, (id) => (to === 'inbox' ? takeOut(id, labels) : label(id, labels)))
    },
    draft: async (letter) => {
      const kept = await post('/gmail/v1/users/me/drafts', { message: { raw: await rawOf(letter) } })
      if (!kept.ok) return unclear(kept)
      const id = stringOf(recordOf(kept.value, 'message'), 'id')
      return ok(isPathId(id) ? id : null)
    },
    send: async (letter) => {
      if (!sends) return err('mail_cannot_send')
      const sent = await post(`${MESSAGES}/send`, { raw: await rawOf(letter) })
      if (!sent.ok) return unclear(sent)
      // The service files its own copy.
      return ok({ refused: [], filed: true })
    },
  }
}

async function wrongId(): Promise<Result<never>> {
  return err('tool_arguments_invalid', { rule: 'id' })
}

/** After an unclear answer the write may still take effect. */
function unclear<T>(failed: Extract<Result<T>, { ok: false }>): Extract<Result<T>, { ok: false }> {
  const { code } = failed.reason
  return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : failed
}

async function find(call: ToolCall, base: string, query: MailQuery): Promise<Result<FoundMails>> {
  if (query.ids !== undefined) {
    const named = query.ids.every(isPathId) ? await readAll(call, base, query.ids, false) : await wrongId()
    return named.ok ? ok({ messages: named.value, more: false }) : named
  }
  const place = await placeOf(call, base, query.folder)
  if (!place.ok) return place
  const { labels: inside, use, ...named } = place.value
  const labels = [...inside, ...(query.unread === true ? ['UNREAD'] : [])]
  const listed = await listIds(call, base, { labels, most: query.count, q: searchOf(query, use) })
  if (!listed.ok) return listed
  const messages = await readAll(call, base, listed.value.ids.slice(0, query.count), query.whole === true)
  return messages.ok ? ok({ ...named, messages: messages.value, more: listed.value.more }) : messages
}

interface Place {
  readonly labels: readonly string[]
  readonly use: EmailFolder | null
  /** The owner's name of the folder, if one was named. */
  readonly folder?: string
}

async function placeOf(call: ToolCall, base: string, folder: MailQuery['folder']): Promise<Result<Place>> {
  if (folder === undefined) return ok({ labels: [], use: null })
  if (typeof folder === 'string')
    return ok({ labels: folder === 'archive' ? [] : [LABELS[folder]], use: folder })
  const found = await placeNamed(call, base, folder.named)
  return found.ok ? ok({ ...found.value, folder: found.value.name }) : found
}

/** A word that is not an operator by itself. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}@._+-]*$/u

/** The query in Gmail's search syntax. A quoted phrase contains no operator; quotes and brackets of the request are dropped. */
function searchOf(
  { words = '', unread, from, to, since, before }: MailQuery,
  use: EmailFolder | null,
): string {
  const phrase = (text: string): string =>
    PLAIN.test(text) && !/^(?:or|and)$/i.test(text) ? text : `"${text.replace(/["()\p{C}]+/gu, ' ').trim()}"`
  const all = words.split(/\s+/).filter((word) => word.replace(/["()\p{C}]+/gu, '') !== '')
  return [
    ...all.map(phrase),
    ...partsOfName(from).map((part) => `from:${phrase(part)}`),
    ...partsOfName(to).map((part) => `to:${phrase(part)}`),
    ...(since === undefined ? [] : [`after:${Math.floor(Date.parse(since) / 1000)}`]),
    ...(before === undefined ? [] : [`before:${Math.floor(Date.parse(before) / 1000)}`]),
    ...(unread === false ? ['is:read'] : []),
    ...(use === 'archive' ? ['-in:inbox', '-in:sent', '-in:drafts'] : []),
  ].join(' ')
}

interface Wanted {
  readonly labels: readonly string[]
  readonly most: number
  readonly q: string
}

async function listIds(
  call: ToolCall,
  base: string,
  { labels, most, q }: Wanted,
): Promise<Result<{ readonly ids: readonly string[]; readonly more: boolean }>> {
  const url = new URL(MESSAGES, base)
  for (const label of labels) url.searchParams.append('labelIds', label)
  if (q !== '') url.searchParams.set('q', q)
  url.searchParams.set('maxResults', String(most))
  if (labels.some((label) => label === 'SPAM' || label === 'TRASH'))
    url.searchParams.set('includeSpamTrash', 'true')
  const listed = await callJson(call, { method: 'GET', url: url.href })
  if (!listed.ok) return listed
  const ids = recordsOf(listed.value, 'messages').map((message) => stringOf(message, 'id'))
  return ok({ ids: ids.filter(isPathId), more: fieldOf(listed.value, 'nextPageToken') !== undefined })
}

/** Reads in batches. Skips a mail that was deleted meanwhile; any other failure fails the whole call. */
async function readAll(
  call: ToolCall,
  base: string,
  ids: readonly string[],
  whole: boolean,
): Promise<Result<readonly JsonRecord[]>> {
  const messages: JsonRecord[] = []
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const group = ids.slice(at, at + PARALLEL).map((id) => {
      const url = messageUrl(base, id)
      if (!whole) url.searchParams.set('fields', LISTED_FIELDS)
      return getMessage(call, url)
    })
    for (const message of await Promise.all(group)) {
      if (message.ok) messages.push(message.value)
      else if (message.reason.code !== 'remote_not_found') return message
    }
  }
  return ok(messages)
}

function getMessage(call: ToolCall, url: URL): Promise<Result<JsonRecord>> {
  url.searchParams.set('format', 'full')
  return callJson(call, { method: 'GET', url: url.href })
}

interface WantedFiles {
  readonly id: string
  readonly most: FilesBound
  readonly pick: PickFiles | undefined
}

/** One request per file: a message contains only its small files. */
async function filesOf(
  call: ToolCall,
  base: string,
  { id, most, pick }: WantedFiles,
): Promise<Result<readonly MailFile[]>> {
  const message = await getMessage(call, messageUrl(base, id))
  if (!message.ok) return message
  const all = attachmentsIn(partsOf(recordOf(message.value, 'payload')))
  const picked = pick?.(all.map(fileNameIn))
  if (picked?.ok === false) return picked
  const parts = picked === undefined ? all : all.filter((_, place) => picked.value.includes(place))
  if (parts.length > most.count) return err('file_too_large')
  const files: MailFile[] = []
  let left = most.bytes
  for (const part of parts) {
    const body = recordOf(part, 'body')
    const attachment = stringOf(body, 'attachmentId')
    const url = new URL(`${MESSAGES}/${id}/attachments/${encodeURIComponent(attachment)}`, base)
    const held = attachment === '' ? ok(body) : await callJson(call, { method: 'GET', url: url.href })
    if (!held.ok) return held.reason.code === 'response_too_large' ? err('file_too_large') : held
    const bytes = fromBase64Url(stringOf(held.value, 'data'))
    if (bytes === null) return err('tool_result_invalid', { rule: 'attachment' })
    left -= bytes.length
    if (left < 0) return err('file_too_large')
    files.push({ name: fileNameIn(part), type: stringOf(part, 'mimeType'), bytes })
  }
  return ok(files)
}

function fromBase64Url(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  } catch {
    return null
  }
}

function messageUrl(base: string, id: string): URL {
  return new URL(`${MESSAGES}/${id}`, base)
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
