/**
 * The mail tool's manifest if the owner has several mailboxes: adds their names, and the mailbox of each row. Derives data from
 * data. Called by run.ts.
 */
import type { FieldSpec, RecordSpec } from '../../../kernel/flow/field.ts'
import type { AccountSpec, ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import type { NamedMailbox, SeveralMailboxes } from './mailbox-port.ts'

/** UTF-16 units of the names of mailboxes that could not be reached. */
const UNREACHED = 300

const BY_ID: readonly string[] = ['id', 'ids']

/** `host`: that of the tool's own service. */
export function severalManifest(
  manifest: ToolManifest,
  { all }: Pick<SeveralMailboxes, 'all'>,
  host: string,
): ToolManifest {
  const accounts = all.map((one): AccountSpec => {
    const network = one.own?.hosts ?? [host]
    return { name: one.name, credential: one.credential, account: one.account, network }
  })
  const connect = manifest.connect && {
    ...manifest.connect,
    several: all
      .filter(({ credential }) => credential === manifest.credential)
      .map(({ name, secret }) => ({ title: `${manifest.connect?.title} (${name})`, secret })),
  }
  const network = [...new Set([...manifest.network, ...accounts.flatMap((one) => one.network)])]
  return {
    ...manifest,
    ...(connect && { connect }),
    network,
    accounts,
    actions: manifest.actions.map((action) => ofSeveral(action, all)),
  }
}

function ofSeveral(action: ActionManifest, all: readonly NamedMailbox[]): ActionManifest {
  const { account: one, ...fields } = action.args.fields
  if (one === undefined) return action
  // An id determines the mailbox; only sending may use another one.
  if (BY_ID.some((name) => Object.hasOwn(fields, name)) && !Object.hasOwn(fields, 'from'))
    return { ...action, ...remarksWithout(action), args: { ...action.args, fields } }
  const values = all.map(({ name }) => name)
  const account = { kind: 'enum', values, optional: true, scope: true } as const
  const names = all.map(({ name, called }) => ({ name, called }))
  return {
    ...action,
    args: { ...action.args, fields: { ...fields, account } },
    output: saysAccount(action.output, values),
    named: { argument: 'account', names },
  }
}

function remarksWithout({ remarks }: ActionManifest): Partial<ActionManifest> {
  if (remarks === undefined) return {}
  const { account: _, ...given } = remarks.given
  return { remarks: { ...remarks, given } }
}

/** The mailbox of each row of a list, and the mailboxes that could not be queried. */
function saysAccount(output: FieldSpec, values: readonly string[]): FieldSpec {
  if (output.kind !== 'record') return output
  const account = { kind: 'enum', values, optional: true } as const
  const fields = Object.entries(output.fields).map(([name, field]): readonly [string, FieldSpec] => {
    const isRows =
      (name === 'emails' || name === 'folders') && field.kind === 'list' && field.of.kind === 'record'
    if (!isRows) return [name, field]
    const of = field.of as RecordSpec
    return [name, { ...field, of: { ...of, fields: { ...of.fields, account } } }]
  })
  const unreached = { kind: 'text', max: UNREACHED, optional: true, remark: true } as const
  return { ...output, fields: { ...Object.fromEntries(fields), unreached } }
}
