/**
 * What a model's plan asks of the owner's operations: run by the same call as the owner's own sentence, so that its checks, its audit row with before
 * and after, its card and "undo" are the same. Must not decide whether a card is put, and hold no credential: a service is connected by the flow that
 * asks for one. Called by call/home-effects.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { taintOf } from '../../flow/taint.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { operationNamed } from '../../operations/index.ts'
import { type Operation, refusalWords } from '../../operations/operation.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { Operations, OwnerFacts } from '../../powers/ports.ts'
import type { AuditTrail, StoreOf } from '../../powers/stores.ts'
import { OWN, parseReference, referencesIn, type ToolStep } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { StepResult, Task } from '../../task/task.ts'
import { type CredentialNeed, needsOf } from '../../tool/channel.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { argName } from '../../tool/worded.ts'
import { previewOf } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'
import { labelOfAnswer, viewOf } from '../commands/slash.ts'
import { connectedTitle, isConnected, isReadByBothPlaces } from '../credentials/ask-credential.ts'
import { connect } from '../credentials/connect-commands.ts'
import { showTo } from '../deliveries/deliver.ts'
import { isLook, isSetting, operationArg, SERVICE_CONNECT, SERVICE_ROTATE, STATUS } from './actions.ts'
import type { OwnStatus } from './port.ts'

type Values = Readonly<Record<string, Json>>

export type SettingPorts = Operations &
  OwnStatus &
  OwnerFacts &
  Parameters<typeof connect>[0] &
  Parameters<typeof showTo>[0]

/** It calls a service, with a name that it is given. */
const OUTWARD = 'admin.tools_check'

/** Where words of the owner's own message are referred to. */
const OWN_ROOTS: readonly string[] = ['said', OWN]
/** What the owner may be asked to choose among for a setting. */
const ASKED_ROOTS: readonly string[] = [...OWN_ROOTS, 'contacts']

/**
 * Whether a plan may ask for it at all: for the owner, in their own words, before anything that others wrote was read for them (invariant 1). Refusals:
 * principal_not_allowed; setting_after_reading.
 */
export function checkSetting(
  { principal, words, planned, plan, results }: Task,
  { tool: id, args, when }: ToolStep,
): Result<true> {
  if (!isSetting(id)) return ok(true)
  if (principal !== OWNER_PRINCIPAL || words.taint.level !== 'clean') return err('principal_not_allowed')
  if (isLook(id) && id !== OUTWARD) return ok(true)
  const late = err('setting_after_reading', { tool: id })
  if (planned?.taint.level === 'raw') return late
  const isFrom = (roots: readonly string[], ref: string): boolean => {
    const parsed = parseReference(ref)
    return parsed.ok && roots.includes(parsed.value.root)
  }
  // A choice among the owner's own words and people; one among rows would hold words of whoever wrote them.
  const asked = (plan?.steps ?? []).flatMap((step) =>
    step.do === 'clarify' && referencesIn(step.options).every((ref) => isFrom(ASKED_ROOTS, ref))
      ? [step.id]
      : [],
  )
  const own = [...OWN_ROOTS, ...asked]
  const references = [...referencesIn(args), ...(when === undefined ? [] : [when.ref])]
  if (!references.every((ref) => isFrom(own, ref))) return late
  // What another change answered repeats its own arguments alone.
  const changes = new Set(
    (plan?.steps ?? []).flatMap((step) =>
      step.do === 'tool' && isSetting(step.tool) && !isLook(step.tool) ? [step.id] : [],
    ),
  )
  const isClean = Object.entries(results).every(([step, result]) => changes.has(step) || !isRaw(result))
  return isClean ? ok(true) : late
}

function isRaw(result: StepResult): boolean {
  switch (result.kind) {
    case 'sealed':
    case 'value':
      return result.ref.taint.level === 'raw'
    case 'choice':
      return result.provenance.taint.level === 'raw'
    case 'alias':
    case 'aliases':
    case 'many':
      return result.chosen?.taint.level === 'raw'
    default:
      return false
  }
}

interface Wanted {
  readonly service: string
  /** It is connected, and its credential is to be replaced. */
  readonly rotates: boolean
}

/** The service of which a credential is asked for in place of the call: one of a closed list, so that nothing of the arguments is in it. */
export function wantedService(
  powers: SettingPorts,
  { id }: Pick<RegisteredAction, 'id'>,
  { args, task }: { readonly args: Labeled<Values>; readonly task: Task },
): Wanted | null {
  if ((id !== SERVICE_CONNECT && id !== SERVICE_ROTATE) || wasAsked(powers, task)) return null
  // Where none may be given now, the call says why.
  if (powers.credentials?.refusal() !== null || isReadByBothPlaces(powers, task.sink)) return null
  const need = needNamed(powers, args)
  if (need === null) return null
  const rotates = isConnected(powers, need.service)
  if (rotates && (id === SERVICE_CONNECT || !isReplaceable(powers, need))) return null
  return { service: need.service, rotates }
}

/** What stands in for a service, such as a demo, has no credential that could be replaced. */
function isReplaceable(powers: SettingPorts, need: CredentialNeed): boolean {
  return powers.credentials?.replace !== undefined && connectedTitle(powers, need) === need.title
}

function wasAsked({ store }: StoreOf<AuditTrail>, { id }: Task): boolean {
  return store
    .auditOf(id)
    .some(({ kind, facts }) => kind === 'approval_asked' && facts['kind'] === 'credential')
}

function needNamed(powers: SettingPorts, args: Labeled<Values>): CredentialNeed | null {
  const isNamed = ({ service, title, called = [] }: CredentialNeed): boolean =>
    test(args, ({ which }) => {
      const name = String(which ?? '')
        .trim()
        .toLowerCase()
      return [service, title.toLowerCase(), ...called].includes(name)
    })
  return needsOf(powers.registry).find(isNamed) ?? null
}

/** Refusals: principal_not_allowed for anybody but the owner; tool_unknown; those of the operation that it has no words of its own for. */
export async function runSetting(
  powers: SettingPorts,
  task: Task,
  { action, args }: { readonly action: RegisteredAction; readonly args: Labeled<Values> },
): Promise<Result<Labeled<Values>>> {
  if (task.principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  if (action.id === STATUS)
    return powers.ownStatus === undefined ? err('tool_unavailable') : told(await powers.ownStatus(task))
  if (action.id === SERVICE_CONNECT || action.id === SERVICE_ROTATE)
    return serviceTold(powers, task, { action, args })
  const operation = action.operation === undefined ? null : operationNamed(action.operation)
  if (operation === null) return err('tool_unknown', { tool: action.id })
  return operationTold(powers, task, { action, operation, args })
}

function told(text: Labeled<string>): Result<Labeled<Values>> {
  return ok(derive(text, (said) => ({ said })))
}

async function serviceTold(
  powers: SettingPorts,
  task: Task,
  { action: { id }, args }: { readonly action: RegisteredAction; readonly args: Labeled<Values> },
): Promise<Result<Labeled<Values>>> {
  const need = needNamed(powers, args)
  if (need === null) return err('tool_unknown', { tool: id })
  const { service, title } = need
  if (wasAsked(powers, task) && isConnected(powers, service))
    return told(receive(tell('credentials.connected', { title }), kernelWords()))
  const words = id === SERVICE_CONNECT ? `connect ${service}` : `rotate my ${title} token`
  return told(await connect(powers, task, receive(words, kernelWords())))
}

async function operationTold(
  powers: SettingPorts,
  { id, event, principal, sink }: Task,
  {
    action,
    operation,
    args,
  }: { readonly action: RegisteredAction; readonly operation: Operation; readonly args: Labeled<Values> },
): Promise<Result<Labeled<Values>>> {
  if (powers.operations === undefined) return err('tool_unavailable')
  const bytes = derive(args, (values) => JSON.stringify(values))
  const open = showTo(powers, { sink: MEMORY_SINK[powers.place], principal }, bytes)
  if (!open.ok) return open
  const taken = JSON.parse(open.value) as Values
  const values = Object.fromEntries(Object.entries(taken).map(([name, value]) => [operationArg(name), value]))
  const { place } = powers
  const asking = { principal, place, door: 'private', sink, message: event, task: id, behind: true } as const
  const caller = { ...asking, planned: plannedWords(action, args) }
  const done = await powers.operations({ operation: operation.name, args: values, caller })
  if (!done.ok) {
    const own = refusalWords(operation, done.reason)
    return own === undefined ? done : told(combine([args], () => own))
  }
  const text = operation.text(done.value, viewOf(powers), values)
  const own = {
    label: labelOfAnswer(powers, operation, sink),
    // What it lists may be words of others, so a later step gets them as such.
    taint: taintOf('raw', `operation:${operation.name}`),
  }
  const isAsked = typeof Reflect.get(Object(done.value), 'approval') === 'string'
  return ok(
    combine<Json, Values>([args, receive(text, own)], ([, said = '']) => ({
      ...{ said: said === '' ? tell('approvals.proposed') : said },
      ...(isAsked && { card: true }),
    })),
  )
}

/** Below the card that the operation puts: that a model asked for it, with what, and whose words these are. */
function plannedWords(action: RegisteredAction, args: Labeled<Values>): Labeled<string> {
  const isTyped = args.taint.level !== 'raw'
  return derive(args, (values) => {
    const lines = Object.entries(values).flatMap(([name, value]) =>
      previewOf(argName(action, name), value, () => null),
    )
    if (lines.length === 0) return tell('admin.planned')
    return [tell('admin.planned_of'), ...lines, tell(isTyped ? 'admin.typed' : 'admin.made')].join('\n')
  })
}
