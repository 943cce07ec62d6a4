/**
 * Admits the owner's own templates besides the shipped ones (B-40, O-61). An own template may narrow what its class may
 * have, never exceed it or reuse another template's name. Must not read a file. Called by the place that stores the files.
 */
import { compareLevels, type Level } from '../flow/level.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { PrincipalClass } from '../task/principal.ts'
import { checkUnambiguous, type Template } from './template.ts'

/**
 * Data: the highest level of an own template, by class. Readers: `admitOwn`. Rationale:
 * requests of others are answered from internal data only, and nobody reviews an own file
 * like the shipped ones; regulated data has its shipped template, and chats granted for it.
 */
const MOST_OF_CLASS: Readonly<Record<PrincipalClass, Level>> = Object.freeze({
  owner: 'sensitive',
  cron: 'sensitive',
  paired: 'internal',
  third_party: 'internal',
  webhook: 'internal',
})

/**
 * `beside`: the templates that exist already. Refusals: template_name_taken, template_class_mismatch,
 * template_ambiguous. An admitted template asks before each write, whatever its file says.
 */
export function admitOwn(template: Template, beside: readonly Template[]): Result<Template> {
  const { id, principalClass, ceiling } = template
  if (beside.some((other) => other.id === id)) return err('template_name_taken', { template: id })
  if (compareLevels(ceiling.level, MOST_OF_CLASS[principalClass]) > 0)
    return err('template_class_mismatch', { template: id, field: 'data_ceiling' })
  if (ceiling.compartments === 'all' || ceiling.compartments.length > 0)
    return err('template_class_mismatch', { template: id, field: 'data_compartments' })
  const clear = checkUnambiguous([...beside, template])
  if (!clear.ok) return clear
  const { unasked: _, ...asking } = template
  return ok(Object.freeze({ ...asking, own: true as const, requireApprovalForWrites: true }))
}
