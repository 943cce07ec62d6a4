/**
 * Several mailboxes as one: a read without a named mailbox queries all of them, a call with an id goes to that mail's mailbox,
 * and mail is sent from there as well, unless the owner says otherwise. An unreachable mailbox is reported by name. Must not know
 * a protocol, or judge a mail. Called by run.ts.
 */
import { isSameAddress, type Sender } from '../../../kernel/features/sender/sender.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { OpenAccount, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { DIGESTED } from './actions/digest-actions.ts'
import { MOST_FOLDERS } from './actions/folder-actions.ts'
import { HEARD } from './actions/heard-action.ts'
import { PROMISED } from './actions/promise-actions.ts'
import type { Mailbox, NamedMailbox, SeveralMailboxes } from './mailbox-port.ts'
import { DEFAULT_EMAILS, MAX_EMAILS, MAX_PEOPLE } from './manifest.ts'

/** Milliseconds for one mailbox: one that hangs must not delay the answers of the others. */
const MAILBOX_TIMEOUT = 10_000
/** Maximum UTF-16 units of an id (flow/field.ts). */
const LONGEST_ID = 256

/** The mailbox of one call, and the sender for it. */
export interface Opened {
  readonly mailbox: Mailbox
  /** The mailbox that sends, if it is another one. */
  readonly out?: Mailbox
  /** Address of the account that sends; null if its service fills it in. */
  readonly address: string | null
  /** The owner's addresses in all mailboxes; absent: there is only one mailbox. */
  readonly addresses?: readonly string[]
  /** Set if there are several, so that cards name the mailbox. */
  readonly named?: true
  /** Sender settings of the mailbox that sends; absent: those of the owner. */
  readonly sender?: Sender
}

interface Powers {
  readonly sender: Sender
  /** Mailbox of the tool's own service, for a call with its credential. */
  readonly gmail: (call: ToolCall) => Mailbox
  readonly run: (call: ToolCall, opened: Opened) => Promise<ToolOutcome>
}

interface Asking extends Powers {
  readonly call: ToolCall
  readonly several: SeveralMailboxes
}

type Args = ToolCall['args']

/** Reads that query all mailboxes if none is named. */
const OF_ALL: ReadonlySet<string> = new Set(
  ['list', 'search', 'count', 'folders', 'recipients', 'promises', 'digest', 'heard'].map(
    (verb) => `email.${verb}`,
  ),
)

export async function inSeveral(
  call: ToolCall,
  several: SeveralMailboxes,
  powers: Powers,
): Promise<ToolOutcome> {
  const { account: wanted, filesFrom, id = call.args['answers'] ?? filesFrom, ids, from } = call.args
  const named = wanted === undefined ? null : several.all.find(({ name }) => name === wanted)
  if (named === undefined) return err('credential_mismatch', { rule: 'account' })
  const asking: Asking = { ...powers, call, several }
  if (OF_ALL.has(call.action)) return named === null ? askAllMailboxes(asking) : ask(asking, named)
  if (Array.isArray(ids)) return askEach(asking, ids.map(String))
  const holder = typeof id === 'string' ? holderOf(several, id) : null
  // The id is of a mailbox that no longer exists.
  if (typeof id === 'string' && holder === null) return err('remote_not_found')
  // The mail and the files must be in the same mailbox.
  if (typeof filesFrom === 'string' && holderOf(several, filesFrom) !== holder) return err('remote_not_found')
  if (call.action === 'email.invitation' && holder === null && named === null) return firstOf(asking)
  const out = named ?? sendingAs(asking, from) ?? holder ?? standardOf(asking)
  return ask(asking, holder ?? out, { out })
}

/** The mailbox with the owner's usual sender address, otherwise the configured default. */
function standardOf({ several: { all, standard }, sender }: Asking): NamedMailbox {
  const said = sender.standard === null ? undefined : all.find((one) => isAt(one, sender.standard ?? ''))
  const found = said ?? all.find(({ name }) => name === standard) ?? all[0]
  if (found === undefined) throw new Error('there are several')
  return found
}

/** Ids of the first mailbox have no name before them. */
function holderOf({ all }: SeveralMailboxes, id: string): NamedMailbox | null {
  const end = id.indexOf(':')
  if (end < 0) return all[0] ?? null
  return all.find(({ name }, at) => at > 0 && name === id.slice(0, end)) ?? null
}

function isFirst({ all }: SeveralMailboxes, mailbox: NamedMailbox): boolean {
  return all[0] === mailbox
}

/** The mailbox with this address, otherwise one that may send as it; null if there is none. */
function sendingAs({ several: { all }, sender }: Asking, from: Json | undefined): NamedMailbox | null {
  if (typeof from !== 'string') return null
  const mayWrite = (one: NamedMailbox): boolean =>
    senderOf(one, sender, all).addresses.some((address) => isSameAddress(address, from))
  return all.find((one) => isAt(one, from)) ?? all.find(mayWrite) ?? null
}

function isAt(mailbox: NamedMailbox, address: string): boolean {
  return addressesOf(mailbox).some((one) => isSameAddress(one, address))
}

/** Own addresses of the mailbox; if its service fills them in, the ones that the owner calls it by. */
function addressesOf({ own, called }: NamedMailbox): readonly string[] {
  return own === null ? called.filter((one) => one.includes('@')) : [own.address]
}

/**
 * Sender of a mailbox. Name and signature that the owner set for all mail are its defaults; the addresses set for all mail belong
 * to the mailbox without sender settings of its own, except those of other mailboxes.
 */
function senderOf({ sender: own }: NamedMailbox, sender: Sender, all: readonly NamedMailbox[]): Sender {
  const isOther = (address: string): boolean => all.some((one) => isAt(one, address))
  const { standard } = sender
  if (own === null)
    return {
      ...sender,
      addresses: sender.addresses.filter((address) => !isOther(address)),
      standard: standard !== null && isOther(standard) ? null : standard,
    }
  const { name = null, addresses = [], signature = null } = own
  return { name: name ?? sender.name, addresses, standard: null, signature: signature ?? sender.signature }
}

async function open(
  asking: Asking,
  mailbox: NamedMailbox,
): Promise<Result<OpenAccount & { readonly box: Mailbox }>> {
  const { call, gmail } = asking
  const opened = (await call.open?.(mailbox.name)) ?? err('credential_missing')
  if (!opened.ok) return opened
  const { credential } = opened.value
  if (mailbox.own === null) return ok({ ...opened.value, box: gmail({ ...call, ...opened.value }) })
  return credential === null
    ? err('credential_missing')
    : ok({ ...opened.value, box: mailbox.own.open(credential) })
}

interface Asked {
  /** The mailbox that sends; absent: the same. */
  readonly out?: NamedMailbox
  readonly args?: Args
}

/** The answer of one mailbox, with ids that name the mailbox. */
async function ask(
  asking: Asking,
  mailbox: NamedMailbox,
  { out = mailbox, args }: Asked = {},
): Promise<ToolOutcome> {
  const { call, several, run, sender } = asking
  const opened = await open(asking, mailbox)
  if (!opened.ok) return opened
  const sends = out === mailbox ? opened : await open(asking, out)
  if (!sends.ok) return sends
  const outcome = await run(
    {
      ...call,
      credential: opened.value.credential,
      http: opened.value.http,
      args: plainIds(args ?? call.args),
    },
    {
      ...{ mailbox: opened.value.box, address: out.own?.address ?? null, named: true },
      ...(out !== mailbox && { out: sends.value.box }),
      addresses: [...several.all.flatMap(addressesOf), ...sender.addresses],
      sender: senderOf(out, sender, several.all),
    },
  )
  if (mailbox.own !== null && out === mailbox) {
    if (outcome.ok) opened.value.settle?.(true)
    else if (outcome.reason.code === 'remote_unauthorized') opened.value.settle?.(false)
  }
  return withIds(outcome, several, call.action === 'email.draft' ? out : mailbox)
}

const ONE_ID: ReadonlySet<string> = new Set(['id', 'answers', 'filesFrom'])

/** Ids in the mailbox's own form. */
function plainIds(args: Args): Args {
  const plain = (id: Json): Json => (typeof id === 'string' ? id.slice(id.indexOf(':') + 1) : id)
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (ONE_ID.has(name)) return [name, plain(value)]
      return [name, name === 'ids' && Array.isArray(value) ? value.map(plain) : value]
    }),
  )
}

function withIds(outcome: ToolOutcome, several: SeveralMailboxes, mailbox: NamedMailbox): ToolOutcome {
  if (!outcome.ok || !isPlainRecord(outcome.output) || isFirst(several, mailbox)) return outcome
  const { output } = outcome
  const named = (id: string): string => `${mailbox.name}:${id}`
  const rows = recordsOf(output, 'emails')
  const emails = rows
    .map((row) => ({ ...row, id: named(stringOf(row, 'id')) }))
    .filter(({ id }) => id.length <= LONGEST_ID)
  return {
    ok: true,
    output: {
      ...output,
      ...(typeof output['id'] === 'string' && { id: named(output['id']) }),
      ...(fieldOf(output, 'emails') !== undefined && { emails }),
      ...(emails.length < rows.length && { more: true }),
    },
  }
}

interface Answers {
  readonly outputs: readonly JsonRecord[]
  /** Names of the mailboxes that did not answer. */
  readonly unreached: readonly string[]
}

async function askAllMailboxes(asking: Asking): Promise<ToolOutcome> {
  const { call, several } = asking
  const asked = await Promise.all(several.all.map((one) => withTimeout(asking, ask(asking, one))))
  const outputs: JsonRecord[] = []
  const failed: { readonly name: string; readonly reason: Refusal }[] = []
  const connected = asked.filter((answer) => answer.ok || !UNCONNECTED.has(answer.reason.code)).length
  for (const [at, answer] of asked.entries()) {
    const name = several.all[at]?.name ?? ''
    if (!answer.ok) failed.push({ name, reason: answer.reason })
    else if (isPlainRecord(answer.output))
      outputs.push(connected > 1 ? ofAccount(answer.output, name) : answer.output)
  }
  const missing = failed.filter(({ reason }) => !UNCONNECTED.has(reason.code))
  const [first] = [...missing, ...failed]
  if (outputs.length === 0) return { ok: false, reason: first?.reason ?? { code: 'tool_failed', facts: {} } }
  // A folder with the requested name needs to exist in one mailbox only.
  const unreached = missing.flatMap(({ name, reason }) =>
    reason.code === 'mail_folder_missing' ? [] : [name],
  )
  return { ok: true, output: joined(call, { outputs, unreached }) }
}

/** Refusals of a mailbox that the owner has not connected, or has switched off. */
const UNCONNECTED: ReadonlySet<string> = new Set([
  'credential_missing',
  'service_off',
  'remote_scope_missing',
])

function ofAccount(output: JsonRecord, account: string): JsonRecord {
  const rows = ['emails', 'folders'].filter((list) => fieldOf(output, list) !== undefined)
  return {
    ...output,
    ...Object.fromEntries(
      rows.map((list) => [list, recordsOf(output, list).map((row) => ({ ...row, account }))]),
    ),
  }
}

/** The answer, or response_timeout after `EACH`. */
async function withTimeout({ several }: Asking, asked: Promise<ToolOutcome>): Promise<ToolOutcome> {
  return Promise.race([asked, several.late(MAILBOX_TIMEOUT).then((): ToolOutcome => err('response_timeout'))])
}

function joined({ action, args }: ToolCall, { outputs, unreached }: Answers): JsonRecord {
  const rows = (list: string): readonly JsonRecord[] => outputs.flatMap((output) => recordsOf(output, list))
  const isAny = (field: string): boolean => outputs.some((output) => output[field] === true)
  const said = unreached.length === 0 ? {} : { unreached: unreached.join(', ') }
  switch (action) {
    case 'email.count': {
      const unread = outputs.reduce((sum, output) => sum + Number(output['unread'] ?? 0), 0)
      return { unread, more: isAny('more'), ...said }
    }
    case 'email.folders': {
      const all = rows('folders')
      return {
        folders: all.slice(0, MOST_FOLDERS),
        more: isAny('more') || all.length > MOST_FOLDERS,
        ...said,
      }
    }
    case 'email.recipients':
      return { people: [...peopleIn(rows('people'))].slice(0, MAX_PEOPLE), ...said }
    case 'email.digest': {
      const all = newestFirst(rows('emails'))
      const asking = all.filter((row) => row['asks'] === true)
      const unread = outputs.reduce((sum, output) => sum + Number(output['unread'] ?? 0), 0)
      const emails = [...asking, ...all.filter((row) => row['asks'] !== true)].slice(0, DIGESTED)
      return { emails, unread, more: isAny('more') || all.length > DIGESTED, ...said }
    }
    case 'email.heard': {
      const [last] = newestFirst(outputs.map((output) => ({ ...output, date: stringOf(output, 'wrote') })))
      const [wrote, about] = [stringOf(last ?? {}, 'wrote'), stringOf(last ?? {}, 'about')]
      const since = wrote === '' ? Number.NEGATIVE_INFINITY : Date.parse(wrote)
      const all = newestFirst(rows('emails')).filter((row) => Date.parse(stringOf(row, 'date')) > since)
      return {
        ...{ emails: all.slice(0, HEARD.most), more: isAny('more') || all.length > HEARD.most },
        ...(wrote !== '' && { wrote, about }),
        ...said,
      }
    }
    default: {
      const count = typeof args['count'] === 'number' ? args['count'] : DEFAULT_EMAILS
      const most = action === 'email.promises' ? PROMISED.most : Math.min(count, MAX_EMAILS)
      const all = newestFirst(rows('emails'))
      const folder = outputs.map((output) => stringOf(output, 'folder')).find((name) => name !== '')
      return {
        ...{ emails: all.slice(0, most), more: isAny('more') || all.length > most },
        ...(folder !== undefined && { folder }),
        ...said,
      }
    }
  }
}

function newestFirst(rows: readonly JsonRecord[]): readonly JsonRecord[] {
  const when = (row: JsonRecord): number => Date.parse(stringOf(row, 'date'))
  return [...rows].sort((one, other) => when(other) - when(one))
}

/** One row per address, with the sum over all mailboxes; those written to most come first. */
function peopleIn(rows: readonly JsonRecord[]): readonly JsonRecord[] {
  const people = new Map<string, JsonRecord>()
  for (const row of rows) {
    const key = stringOf(row, 'email').toLowerCase()
    const known = people.get(key)
    const sent = Number(row['sent'] ?? 0) + Number(known?.['sent'] ?? 0)
    people.set(key, { ...(known ?? row), sent })
  }
  return [...people.values()].sort((a, b) => Number(b['sent']) - Number(a['sent']))
}

/** The newest invitation, from the first mailbox that has one. */
async function firstOf(asking: Asking): Promise<ToolOutcome> {
  const usual = standardOf(asking)
  const order = [usual, ...asking.several.all.filter((one) => one !== usual)]
  let no: ToolOutcome | null = null
  for (const one of order) {
    const found = await withTimeout(asking, ask(asking, one))
    if (found.ok) return found
    no ??= found
  }
  return no ?? err('tool_failed')
}

/**
 * Each mail in its own mailbox. Refusals: those of the first mailbox; write_outcome_unknown once another one has changed mails,
 * so that a refusal does not read as if nothing had been done.
 */
async function askEach(asking: Asking, ids: readonly string[]): Promise<ToolOutcome> {
  const { call, several } = asking
  const parts = new Map<NamedMailbox, string[]>()
  for (const id of ids) {
    const holder = holderOf(several, id)
    if (holder === null) return err('remote_not_found')
    parts.set(holder, [...(parts.get(holder) ?? []), id])
  }
  const outputs: JsonRecord[] = []
  for (const [mailbox, own] of parts) {
    const done = await ask(asking, mailbox, { args: { ...call.args, ids: own } })
    const isWrite = call.action !== 'email.which'
    if (!done.ok && (outputs.length === 0 || !isWrite)) return done
    if (!done.ok) return err('write_outcome_unknown', { after: done.reason.code })
    if (isPlainRecord(done.output)) outputs.push(done.output)
  }
  const [first, ...others] = outputs
  if (first === undefined || others.length === 0) return { ok: true, output: first ?? {} }
  if (call.action === 'email.which')
    return { ok: true, output: { mails: outputs.flatMap((output) => recordsOf(output, 'mails')) } }
  const sum = (field: string): number => outputs.reduce((all, output) => all + Number(output[field] ?? 0), 0)
  const emails = outputs.flatMap((output) => recordsOf(output, 'emails'))
  return { ok: true, output: { emails, changed: sum('changed'), gone: sum('gone') } }
}
