/**
 * Plans an addition of people to a waiting call: the same call with all of its arguments and these people.
 * Must not choose among several calls. Pure. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Argument } from '../../../../kernel/task/plan.ts'
import type { Waits } from '../../../tools/phrase.ts'
import { fieldOf, itemsOf } from '../answers/content.ts'
import type { Recipients } from '../whom.ts'

/** The arguments of the call with more people; null where none of that action waits, or several. */
export function withMore(
  { tool, argument, keeps }: Waits,
  { to }: Pick<Recipients, 'to'>,
  { metadata }: Pick<PromptParts, 'metadata'>,
): Readonly<Record<string, Argument>> | null {
  const [asked, ...others] = metadata.filter(
    ({ root, action }) => /^q[1-9]\d?$/.test(root) && action === tool,
  )
  if (asked === undefined || others.length > 0) return null
  const { root } = asked
  const fields = asked.fields as Readonly<Record<string, Json>>
  const former = itemsOf(fieldOf(fields, argument), 'items').map((_, at) => ({
    $ref: `${root}.${argument}[${at}]`,
  }))
  const own = keeps
    .filter((name) => Object.hasOwn(fields, name))
    .map((name) => [name, { $ref: `${root}.${name}` }] as const)
  return { ...Object.fromEntries(own), [argument]: [...former, ...(to as readonly Argument[])] }
}
