/**
 * Judges the calls of a job that is asked for, before its card is put: none may need a yes of its own at each run, but to tell a service words of the request
 * itself, which this card shows and its yes is for (DESIGN §2, §9). Must not tell anything. Called by proposal.ts.
 */
import { callVerdict } from '../../../call/call-verdict.ts'
import { isDisclosed } from '../../../call/disclosure.ts'
import { disclosedDigest } from '../../../call/job-told.ts'
import { type CallPorts, resolveCall } from '../../../call/resolve.ts'
import { stringsIn } from '../../../flow/json.ts'
import { combine, type Labeled, test } from '../../../flow/labeled.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { lookUpAction } from '../../../powers/effects.ts'
import type { Actions, Clock } from '../../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import { inputsOf, type Plan, parseReference, type Step } from '../../../task/plan.ts'
import type { Task } from '../../../task/task.ts'
import type { Template } from '../../../template/template.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import type { JobStore } from '../port.ts'

export type ToldPorts = CallPorts &
  Parameters<typeof resolveCall>[0] &
  Clock &
  StoreOf<TaskStore & ApprovalStore & Pick<JobStore, 'findJob'>>

/** Words that a service is told at each run. */
export interface Told {
  readonly words: Labeled<string>
  readonly hosts: readonly string[]
}

export interface Judged {
  /** As `FrozenPlan` keeps it. */
  readonly tells: Readonly<Record<string, string>>
  readonly told: readonly Told[]
}

/** Refusal: job_cannot, for a plan of which a call would be refused, or be asked about each time. */
export async function judgeCalls(powers: ToldPorts, task: Task, template: Template): Promise<Result<Judged>> {
  const tells: Record<string, string> = {}
  const told: Told[] = []
  const steps = task.plan?.steps ?? []
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'tool') continue
    const found = lookUpAction(powers.registry, step.tool)
    if (!found.ok) return err('job_cannot')
    const action = found.value
    const isTelling = tellsWords(action, step.args)
    // What an earlier step finds is not known yet: it is judged at each run, and is told nobody.
    if (usesResult(step, steps)) {
      if (isTelling) return err('job_cannot')
      continue
    }
    const call = await resolveCall(powers, task, { action, args: step.args, step: step.id })
    if (!call.ok) return err('job_cannot')
    const input = { powers, task, template, index, action, call: call.value, draft: true as const }
    const verdict = await callVerdict(input)
    if (!verdict.ok) return err('job_cannot')
    if (verdict.value.question === null) continue
    // Under a condition, what is read would decide whether the service hears of it.
    if (verdict.value.job === undefined || step.when !== undefined) return err('job_cannot')
    const words = call.value.args.filter(({ spec }) => isDisclosed(spec))
    tells[step.id] = disclosedDigest(action.id, words)
    told.push({
      words: combine(
        words.map(({ value }) => value),
        (all) => all.flatMap((one) => stringsIn(one)).join(', '),
      ),
      hosts: [...action.tool.network].sort(),
    })
  }
  return ok({ tells, told })
}

/** Whether it names an argument that a service of others would be told. */
function tellsWords(
  { args: { fields } }: RegisteredAction,
  args: Readonly<Record<string, unknown>>,
): boolean {
  return Object.keys(args).some((name) => {
    const spec = fields[name]
    return spec !== undefined && isDisclosed(spec)
  })
}

/** Whether a file's plan tells a service words: nobody said them, so each run would be refused. */
export function planTells({ registry }: Actions, { steps }: Plan): boolean {
  return steps.some((step) => {
    const found = step.do === 'tool' ? lookUpAction(registry, step.tool) : null
    return found?.ok === true && 'args' in step && tellsWords(found.value, step.args)
  })
}

function usesResult(step: Step, steps: readonly Step[]): boolean {
  return inputsOf(step).some((ref) => {
    const parsed = parseReference(ref)
    return parsed.ok && steps.some(({ id }) => id === parsed.value.root)
  })
}

const JOINED = /,|(?<!\p{L})(?:and|und|&|plus|as well as|sowie)(?!\p{L})/giu

/** Whether so many steps can be of all that is named beside the words that are told: a part that nobody reads must not be promised each day. */
export function areAllRead(words: Labeled<string>, told: readonly Told[], steps: number): boolean {
  const all = combine([words, ...told.map((one) => one.words)], ([text = '', ...left]) => {
    const beside = left.reduce((rest, one) => rest.replace(one, ' '), text)
    return (beside.match(JOINED)?.length ?? 0) < steps
  })
  return test(all, (is) => is)
}
