/**
 * The owner's mailbox by IMAP: the server's search, one mail, flags, moves and drafts. A mail's id contains folder and
 * UIDVALIDITY, so that a reused number never names another mail. Must not fetch an attachment (imap-files.ts), mark a mail as
 * read by reading it, or delete. Called by mail-account.ts.
 */
import type { ImapFlow, ListResponse, MailboxLockObject } from 'imapflow'
import type {
  ChangedMails,
  FoundMails,
  MailQuery,
  NamedFolder,
} from '../../integrations/tools/email/mailbox-port.ts'
import type { EmailFolder, EmailMark } from '../../integrations/tools/email/manifest.ts'
import type { JsonRecord } from '../../integrations/tools/reading.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Failed, imapFailure } from './imap-client.ts'
import { folderToRead, pathNamed, pathOf } from './imap-folders.ts'
import { HEADERS, previewOf, resourceOf, textOf, textParts } from './imap-message.ts'
import { type Hit, hitsIn, newestWithin, wordsOf } from './imap-search.ts'

/** Bytes of a part that are fetched for a preview, and for reading. */
const PREVIEW_BYTES = 2_048
const READ_BYTES = 1_000_000
/** Bytes of each mail when many are read at once. */
const MANY_BYTES = 60_000
const FLAGS: Readonly<Record<EmailMark, { readonly flag: string; readonly on: boolean }>> = {
  read: { flag: '\\Seen', on: true },
  unread: { flag: '\\Seen', on: false },
  flagged: { flag: '\\Flagged', on: true },
  unflagged: { flag: '\\Flagged', on: false },
}

export interface Place {
  readonly path: string
  readonly validity: string
  readonly uid: number
}

export function idOf(path: string, validity: bigint | string, uid: number): string {
  return `${validity}.${uid}.${Buffer.from(path, 'utf8').toString('base64url')}`
}

export function placeOf(id: string): Place | null {
  const [, validity, uid, path] = /^([1-9]\d{0,9})\.([1-9]\d{0,9})\.([A-Za-z0-9_-]{1,230})$/.exec(id) ?? []
  if (validity === undefined || uid === undefined || path === undefined) return null
  return { path: Buffer.from(path, 'base64url').toString('utf8'), validity, uid: Number(uid) }
}

/** Returns mails that contain all words; if there is none, those that contain the most words, at least half of them. */
export async function findMails(client: ImapFlow, query: MailQuery): Promise<Result<FoundMails>> {
  const places = await searched(client, query.folder)
  if (!places.ok) return places
  const { paths, ...named } = places.value
  const wanted = wordsOf(query).length
  const folders: Searched[] = []
  const found: Found[] = []
  for (const path of paths) {
    const one = await findIn(client, { path, hits: null, wanted }, query)
    if (!one.ok) return one
    folders.push({ path, hits: one.value.hits, wanted })
    found.push(one.value)
  }
  const most = Math.max(0, ...folders.flatMap(({ hits }) => hits?.map(({ words }) => words) ?? []))
  const isSome = wanted > 1 && most < wanted && most * 2 >= wanted
  for (const { path, hits } of isSome ? folders : []) {
    const one = await findIn(client, { path, hits, wanted: most }, query)
    if (!one.ok) return one
    found.push(one.value)
  }
  const ranked = found
    .flatMap(({ messages }) => messages.toReversed())
    .sort(
      (a, b) => b.score - a.score || Number(b.message['internalDate']) - Number(a.message['internalDate']),
    )
  return ok({
    ...named,
    messages: ranked.slice(0, query.count).map(({ message }) => message),
    more: found.some(({ more }) => more) || ranked.length > query.count,
    ...(isSome && { some: true }),
  })
}

interface Searched {
  readonly path: string
  /** Null before the search. */
  readonly hits: readonly Hit[] | null
  /** Number of the words that a mail must contain. */
  readonly wanted: number
}

interface Found {
  readonly hits: readonly Hit[]
  readonly messages: readonly { readonly message: JsonRecord; readonly score: number }[]
  readonly more: boolean
}

/**
 * Folders to search. Without a named folder: all mail if the provider has such a folder, otherwise inbox, archive and sent mail.
 * `folder`: the owner's name of the folder.
 */
async function searched(
  client: ImapFlow,
  folder: MailQuery['folder'],
): Promise<Result<{ readonly paths: readonly string[]; readonly folder?: string }>> {
  if (typeof folder === 'object') {
    const found = await folderToRead(client, folder.named)
    return found.ok ? ok({ paths: [found.value.path], folder: found.value.shown }) : found
  }
  if (folder !== undefined) {
    const path = await pathOf(client, folder)
    return path === null ? err('mail_folder_missing', { folder }) : ok({ paths: [path] })
  }
  const folders = await client.list()
  const pathFor = (use: string): readonly string[] =>
    folders.filter((one: ListResponse) => one.specialUse === use).map(({ path }) => path)
  const all = pathFor('\\All')
  const usual = ['INBOX', ...pathFor('\\Archive'), ...pathFor('\\Sent')]
  return ok({ paths: all.length > 0 ? all.slice(0, 1) : usual })
}

async function findIn(
  client: ImapFlow,
  { path, hits: known, wanted }: Searched,
  query: MailQuery,
): Promise<Result<Found>> {
  const lock = await client.getMailboxLock(path, { readOnly: true })
  try {
    const hits = known ?? (await hitsIn(client, query))
    if (hits === null) return err('remote_rejected', { rule: 'search' })
    const fitting = hits.filter(({ words }) => words === wanted)
    const within = await newestWithin(
      client,
      fitting.map(({ uid }) => uid),
      query,
    )
    const chosen = within.slice(-query.count)
    if (chosen.length === 0) return ok({ hits, messages: [], more: false })
    const scores = new Map(fitting.map(({ uid, score }) => [uid, score]))
    const validity = validityOf(client)
    const byId = new Map(chosen.map((uid) => [idOf(path, validity, uid), scores.get(uid) ?? 0]))
    const messages = await listed(client, path, chosen, query.whole === true)
    const scored = messages.map((message) => ({ message, score: byId.get(String(message['id'])) ?? 0 }))
    return ok({ hits, messages: scored, more: within.length > chosen.length })
  } finally {
    lock.release()
  }
}

async function listed(
  client: ImapFlow,
  path: string,
  uids: readonly number[],
  whole: boolean,
): Promise<readonly JsonRecord[]> {
  const wanted = { uid: true, flags: true, internalDate: true, bodyStructure: true, headers: HEADERS }
  const messages = await client.fetchAll([...uids], wanted, { uid: true })
  const previews = new Map<number, string>()
  const texts = new Map<number, ReadonlyMap<string, string>>()
  const parts = messages.flatMap(({ uid, bodyStructure }) => {
    const [part] = textParts(bodyStructure)
    return part === undefined ? [] : [{ uid, part }]
  })
  // One request for all mails whose text is in the same body part.
  for (const key of new Set(parts.map(({ part }) => part.key))) {
    const group = parts.filter(({ part }) => part.key === key)
    const query = { uid: true, bodyParts: [{ key, start: 0, maxLength: whole ? MANY_BYTES : PREVIEW_BYTES }] }
    for (const { uid, bodyParts } of await client.fetchAll(
      group.map((one) => one.uid),
      query,
      { uid: true },
    )) {
      const bytes = bodyParts?.get(key)
      const part = group.find((one) => one.uid === uid)?.part
      if (!bytes || part === undefined) continue
      const text = await textOf(part, bytes)
      previews.set(uid, previewOf(text, part.type))
      if (whole) texts.set(uid, new Map([[part.key, text]]))
    }
  }
  const validity = validityOf(client)
  return messages.map((message) =>
    resourceOf(idOf(path, validity, message.uid), message, {
      ...{ preview: previews.get(message.uid) ?? '', texts: texts.get(message.uid) ?? new Map() },
    }),
  )
}

/** Opens the folder of this mail, and refuses if its UIDVALIDITY is no longer that of the id. `uid`: as an IMAP sequence set. */
export async function inMail<T>(
  client: ImapFlow,
  id: string,
  work: (uid: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const place = placeOf(id)
  if (place === null) return err('tool_arguments_invalid', { rule: 'id' })
  const lock = await client.getMailboxLock(place.path, { readOnly: true })
  try {
    return String(validityOf(client)) === place.validity
      ? await work(String(place.uid))
      : err('mail_renumbered')
  } finally {
    lock.release()
  }
}

export function readMail(client: ImapFlow, id: string): Promise<Result<JsonRecord>> {
  return inMail(client, id, async (uid) => {
    const wanted = { uid: true, flags: true, internalDate: true, bodyStructure: true, headers: HEADERS }
    const message = await client.fetchOne(uid, wanted, { uid: true })
    if (message === false) return err('remote_not_found')
    const parts = textParts(message.bodyStructure)
    const bodyParts = parts.map(({ key }) => ({ key, start: 0, maxLength: READ_BYTES }))
    const bodies =
      parts.length === 0 ? false : await client.fetchOne(uid, { uid: true, bodyParts }, { uid: true })
    const texts = new Map<string, string>()
    for (const part of parts) {
      const bytes = bodies === false ? undefined : bodies.bodyParts?.get(part.key)
      if (bytes) texts.set(part.key, await textOf(part, bytes))
    }
    const truncated = parts.some(({ node }) => (node.size ?? 0) > READ_BYTES)
    return ok(resourceOf(id, message, { texts, truncated }))
  })
}

export function markMails(
  client: ImapFlow,
  ids: readonly string[],
  as: EmailMark,
): Promise<Result<ChangedMails>> {
  const { flag, on } = FLAGS[as]
  return changeMails(client, ids, async (path, uids) => {
    const done = on
      ? await client.messageFlagsAdd([...uids], [flag], { uid: true })
      : await client.messageFlagsRemove([...uids], [flag], { uid: true })
    const validity = validityOf(client)
    if (!done) return refusedBy(client, 'store')
    return ok({ ids: uids.map((uid) => idOf(path, validity, uid)), count: uids.length })
  })
}

export async function moveMails(
  client: ImapFlow,
  ids: readonly string[],
  to: EmailFolder | NamedFolder,
): Promise<Result<ChangedMails>> {
  if (!movesAlone(client)) return err('remote_rejected', { rule: 'move' })
  const found = typeof to === 'object' ? await pathNamed(client, to.named) : await targetOf(client, to)
  if (!found.ok) return found
  const target = found.value
  return changeMails(client, ids, async (path, uids) => {
    if (path === target)
      return ok({ ids: uids.map((uid) => idOf(path, validityOf(client), uid)), count: uids.length })
    const isMoved = canMove(client)
    const moved = isMoved
      ? await client.messageMove([...uids], target, { uid: true })
      : await client.messageCopy([...uids], target, { uid: true })
    if (moved === false) return refusedBy(client, 'move')
    // The copy exists by now, so a failure from here on has an unknown outcome.
    if (!isMoved && !(await client.messageDelete([...uids], { uid: true })))
      return partly(refusedBy(client, 'move'))
    const { uidMap, uidValidity } = moved
    if (uidMap === undefined || uidValidity === undefined) return ok({ ids: [], count: uids.length })
    return ok({ ids: [...uidMap.values()].map((uid) => idOf(target, uidValidity, uid)), count: uidMap.size })
  })
}

/** Creates the archive folder if there is none. */
async function targetOf(client: ImapFlow, to: EmailFolder): Promise<Result<string>> {
  const path = (await pathOf(client, to)) ?? (to === 'archive' ? await madeArchive(client) : null)
  return path === null ? err('mail_folder_missing', { folder: to }) : ok(path)
}

/**
 * Whether the server can remove single mails: it has MOVE or UIDPLUS. Without them the library sends EXPUNGE, which removes every
 * mail marked as deleted in the folder, also by other programs (RFC 3501, 6.4.3; RFC 4315, 2.1; RFC 6851). Both are part of
 * IMAP4rev2 (RFC 9051).
 */
function movesAlone(client: ImapFlow): boolean {
  return canMove(client) || client.capabilities.has('UIDPLUS')
}

function canMove({ capabilities, enabled }: ImapFlow): boolean {
  const isSecond = capabilities.has('IMAP4rev2') && !capabilities.has('IMAP4rev1')
  return capabilities.has('MOVE') || enabled.has('IMAP4REV2') || isSecond
}

async function madeArchive(client: ImapFlow): Promise<string> {
  return (await client.mailboxCreate('Archive')).path
}

/** `ids`: the new ids, as far as the server reports them. */
type Change = (
  path: string,
  uids: readonly number[],
) => Promise<Result<{ readonly ids: readonly string[]; readonly count: number }>>

/** Checks UIDVALIDITY of every folder before it changes any mail. */
async function changeMails(
  client: ImapFlow,
  ids: readonly string[],
  change: Change,
): Promise<Result<ChangedMails>> {
  const places = ids.map(placeOf)
  if (!places.every((place) => place !== null)) return err('tool_arguments_invalid', { rule: 'id' })
  const paths = [...new Set(places.map(({ path }) => path))]
  for (const path of paths) {
    const status = await client.status(path, { uidValidity: true })
    const now = status === false ? '' : String(status.uidValidity)
    if (places.some((place) => place.path === path && place.validity !== now)) return err('mail_renumbered')
  }
  const changed: string[] = []
  let [count, gone] = [0, 0]
  for (const path of paths) {
    const own = places.filter((place) => place.path === path).map(({ uid }) => uid)
    let lock: MailboxLockObject | null = null
    try {
      lock = await client.getMailboxLock(path)
      const there = await client.search({ uid: own.join(',') }, { uid: true })
      const uids = Array.isArray(there) ? own.filter((uid) => there.includes(uid)) : []
      gone += own.length - uids.length
      if (uids.length === 0) continue
      const done = await change(path, uids)
      if (!done.ok) return count > 0 ? partly(done) : done
      changed.push(...done.value.ids)
      count += done.value.count
    } catch (error) {
      if (count === 0) throw error
      return partly(imapFailure(error))
    } finally {
      lock?.release()
    }
  }
  return ok({ ids: changed, changed: count, gone })
}

/** Some mails were changed already, so a refusal of the rest becomes an unknown outcome. */
function partly({ reason }: Failed): Failed {
  return err('write_outcome_unknown', { after: reason.code })
}

/** The library returns false both for a refusal and for a lost connection. */
function refusedBy(client: ImapFlow, rule: string): Failed {
  return client.usable ? err('remote_rejected', { rule }) : err('network_failed')
}

export function validityOf(client: ImapFlow): bigint {
  return client.mailbox === false ? 0n : client.mailbox.uidValidity
}
