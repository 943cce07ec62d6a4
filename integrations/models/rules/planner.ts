/**
 * Plans for known requests (DESIGN §3), those of memory and those that packages declare, from metadata alone: references and
 * numbers, never untrusted strings. Uses only tools that the prompt offers; if something is missing, an empty plan with the reason
 * (C-12). Called by model.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Argument, Plan, ToolStep } from '../../../kernel/task/plan.ts'
import type { Phrase, SlotName } from '../../tools/phrase.ts'
import { isSaid, plannedSteps, type SaidField } from '../../tools/planned.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { meantOne } from './among.ts'
import { phrasePlan } from './phrases.ts'
import { type Said, saidOf } from './said.ts'

type Args = ToolStep['args']

export function planFor(parts: PromptParts): Plan {
  // The rules model needs no second round of planning, for its own plans or another model's: what was read is the answer.
  if (parts.instruction !== null) return { steps: [], explanation: '' }
  const said = saidOf(parts)
  const offered = new Set(parts.tools.map(({ id }) => id))
  const isOffered = ({ plan }: Phrase) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool)))
  const phrase = said.intent === 'other' ? phrasePlan(parts.request, TOOL_PHRASES, isOffered) : null
  const plan = phrase ?? planOf(said, parts)
  const missing = plan.steps.some((step) => step.do === 'tool' && !offered.has(step.tool))
  return missing ? nothing('not_available') : plan
}

function planOf(said: Said, parts: PromptParts): Plan {
  switch (said.intent) {
    case 'memory_save':
      return said.has('topic')
        ? steps(call('s1', 'memory.save', { text: ref('said.topic') }))
        : nothing('needs_fact')
    case 'memory_search':
      return steps(call('s1', 'memory.search', saidArgs(said, { query: 'topic', from: 'from', to: 'to' })))
    default: {
      const named = NAMED.find(({ intent }) => intent === said.intent)
      return named === undefined ? nothing('not_understood') : namedPlan(named, said, parts)
    }
  }
}

const NAMED = TOOL_PHRASES.flatMap(({ asks }) => asks).filter(({ intent }) => intent !== undefined)

/** The plan of a request that was recognised by its name, or the reason why there is none. */
function namedPlan({ plan, needs, among }: Phrase, said: Said, parts: PromptParts): Plan {
  const has = (field: SaidField) => said.has(field)
  const missing = Object.entries(needs ?? {}).find(([slot]) => !isSaid(slot as SlotName, has))
  if (missing !== undefined) return nothing(missing[1])
  const meant = among === undefined ? { before: [], path: '' } : meantOne(among, said, parts)
  if (meant === null) return nothing(among?.unknown ?? 'not_understood')
  const own = plannedSteps(plan, { has, one: meant.path }, meant.before.length) as unknown as Plan['steps']
  return { steps: [...meant.before, ...own], explanation: '' }
}

function saidArgs(said: Said, wanted: Readonly<Record<string, SaidField>>): Args {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([, field]) => said.has(field))
      .map(([name, field]) => [name, ref(`said.${field}`)]),
  )
}

function call(id: string, tool: string, args: Args): ToolStep {
  return { id, do: 'tool', tool, args }
}

function ref(path: string): Argument {
  return { $ref: path }
}

function steps(...planned: Plan['steps'][number][]): Plan {
  return { steps: planned, explanation: '' }
}

function nothing(explanation: string): Plan {
  return { steps: [], explanation }
}
