/**
 * Finds the template's canned plan for an intent, if the message states every field
 * that the plan requires. Must not make a plan of its own. Called by plan.ts.
 */

import type { Provenance } from '../flow/labeled.ts'
import { test } from '../flow/labeled.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { lookUpAction } from '../powers/effects.ts'
import { INTENTS } from '../powers/message-fields.ts'
import type { Actions } from '../powers/ports.ts'
import { CANNED, isReference, type Plan, parseReference } from '../task/plan.ts'
import type { Template } from '../template/template.ts'

interface Canned {
  readonly plan: Plan
  readonly planner: typeof CANNED
  readonly provenance: Provenance
}

/** The intent is an enum taken from the owner's own words; the text of a canned plan is the template's. */
export function cannedPlan(powers: Actions, said: LabeledRecord, template: Template): Canned | null {
  const intent = pick(said, ['intent'])
  if (!intent.ok) return null
  const name = INTENTS.find((known) => test(intent.value, (value) => value === known))
  const canned = name !== undefined && Object.hasOwn(template.plans, name) ? template.plans[name] : undefined
  if (canned === undefined || !saysEnough(powers.registry, canned, said)) return null
  const { label, taint } = intent.value
  return { plan: canned, planner: CANNED, provenance: { label, taint } }
}

/** Field with all values, for each field of which a plan takes only one. */
const SEVERAL: Readonly<Record<string, string>> = { url: 'urls', email: 'emails', person: 'people' }

/** True where the message names several: for "read these two pages", a plan for one page would omit the other. */
function isOneOfSeveral(said: LabeledRecord, [name = '']: readonly (string | number)[]): boolean {
  const list = Object.hasOwn(SEVERAL, name) ? SEVERAL[name] : undefined
  return list !== undefined && pick(said, [list]).ok
}

/** Whether the message has every field that the tools of the plan require. If one is missing, `rules` asks for it. */
function saysEnough(registry: Actions['registry'], { steps }: Plan, said: LabeledRecord): boolean {
  return steps.every((step) => {
    const action = step.do === 'tool' ? lookUpAction(registry, step.tool) : null
    if (step.do !== 'tool' || !action?.ok) return true
    return Object.entries(step.args).every(([name, argument]) => {
      const field = action.value.args.fields[name]
      const target = isReference(argument) ? parseReference(argument.$ref) : null
      if (!target?.ok || target.value.root !== 'said') return true
      if (isOneOfSeveral(said, target.value.path)) return false
      return field === undefined || field.optional === true || pick(said, target.value.path).ok
    })
  })
}
