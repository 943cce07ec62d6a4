/**
 * The address book tool (DESIGN §9): people at Google and at CardDAV servers in one form. A single account is answered by its
 * backend, several are merged. Must not know a service except Google. Called through integrations/tools/port.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, type Refusal } from '../../../kernel/flow/verdict.ts'
import type { AccountSpec, Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { googleCheck } from '../google-connect.ts'
import { fieldOf, recordsOf, stringOf } from '../reading.ts'
import { ADDRESSBOOK, type AddressbookAccount, type AddressbookPowers, GOOGLE_BOOK } from './account-port.ts'
import { listGoogle } from './google.ts'
import { ADDRESSBOOK_MANIFEST } from './manifest.ts'
import { type BookCard, peopleIn } from './shape.ts'

export interface AddressbookOptions {
  /** Origin of Google's People API. */
  readonly baseUrl?: string
  /** Accounts besides Google's; absent: none. */
  readonly addressbooks?: AddressbookPowers
}

const GOOGLE = 'https://people.googleapis.com'
const GOOGLE_CHECK = '/v1/people/me/connections?personFields=names&pageSize=1'

export function createAddressbookTool(options: AddressbookOptions = {}): Tool {
  const base = options.baseUrl ?? GOOGLE
  const host = new URL(base).host
  const check = googleCheck(base, GOOGLE_CHECK)
  const { accounts: own = [], withoutGoogle = false } = options.addressbooks ?? {}
  const run = (call: ToolCall) => listGoogle(call, base)
  if (own.length === 0)
    return { manifest: { ...ADDRESSBOOK_MANIFEST, network: [host] }, check, execute: known(run) }
  const google: AccountSpec = {
    ...{ name: GOOGLE_BOOK, credential: GOOGLE_BOOK, account: null, network: [host] },
  }
  const specs: readonly AccountSpec[] = [
    ...(withoutGoogle ? [] : [google]),
    ...own.map(({ name, hosts }) => ({ name, credential: ADDRESSBOOK, account: name, network: hosts })),
  ]
  const accounts = [...(withoutGoogle ? [] : [{ name: GOOGLE_BOOK, run }]), ...own]
  const network = [...new Set(specs.flatMap((one) => one.network))]
  return {
    manifest: { ...ADDRESSBOOK_MANIFEST, network, accounts: specs },
    check,
    execute: known((call) => joined(call, accounts)),
  }
}

function known(execute: Tool['execute']): Tool['execute'] {
  return async (call) => (call.action === 'addressbook.list' ? execute(call) : err('tool_unknown'))
}

/** Refusal: that of the first account, if none answers. An account that cannot be read is reported by name. */
async function joined(call: ToolCall, accounts: readonly AddressbookAccount[]): Promise<ToolOutcome> {
  const answers = await Promise.all(accounts.map((account) => ask(call, account)))
  const cards: BookCard[] = []
  const failed: { readonly name: string; readonly reason: Refusal }[] = []
  let more = false
  for (const [at, answer] of answers.entries()) {
    if (!answer.ok) failed.push({ name: accounts[at]?.name ?? '', reason: answer.reason })
    else if (isPlainRecord(answer.output)) {
      const rows = recordsOf(answer.output, 'people')
      cards.push(...rows.map((row) => ({ names: [stringOf(row, 'name')], emails: [stringOf(row, 'email')] })))
      more ||= fieldOf(answer.output, 'more') === true
    }
  }
  const missing = failed.filter((one) => !isUnasked(one))
  const [first] = [...missing, ...failed]
  if (first !== undefined && failed.length === accounts.length) return { ok: false, reason: first.reason }
  const { who } = call.args
  const found = peopleIn(cards, typeof who === 'string' ? who : '')
  const unread = cleanLine(missing.map(({ name }) => name).join(', '), 200)
  return {
    ok: true,
    output: {
      ...{ people: found.people, count: found.people.length, more: more || found.more },
      ...(unread !== '' && { unread }),
    },
  }
}

async function ask(call: ToolCall, account: AddressbookAccount): Promise<ToolOutcome> {
  const opened = (await call.open?.(account.name)) ?? err('credential_missing')
  return opened.ok ? account.run({ ...call, ...opened.value }) : opened
}

/** Whether Google is not connected, or was connected for mail and calendars only. */
function isUnasked({ name, reason }: { readonly name: string; readonly reason: Refusal }): boolean {
  return name === GOOGLE_BOOK && ['credential_missing', 'remote_rejected'].includes(reason.code)
}
