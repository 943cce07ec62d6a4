/**
 * The plan of a prompt: by the declared sentences, and at home also by what looks back and by the parts of a request. Must not read words itself. Called by
 * model.ts and by the measure of phrasings.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { pointedIn } from '../../extractors/message/message-pointed.ts'
import type { HomeRules, Sentences } from './home-rules.ts'
import { isAllOffered, isMeant, planOfParts } from './planner.ts'
import { saidOf, typedOf } from './said.ts'
import { nothing } from './steps.ts'

export function planFor(parts: PromptParts, home: HomeRules | null = null): Plan {
  const isOwner = parts.audience === 'owner' && parts.instruction === null
  const back = isOwner ? (home?.back(parts) ?? null) : null
  const offered = new Set(parts.tools.map(({ id }) => id))
  if (back !== null && isAllOffered(back, offered)) return back
  const plan = planOfParts(parts)
  const own = isOwner ? (home?.sender(plan, parts, typedOf(parts).person) ?? plan) : plan
  const isOpen = own.explanation === 'not_understood' && own.steps.length === 0 && parts.audience === 'owner'
  if (!isOpen) return isOwner ? unlessOther(own, parts, home) : own
  const byParts = isOwner ? (home?.byParts(parts, SENTENCES) ?? null) : null
  if (byParts !== null && isAllOffered(byParts, offered)) return byParts
  return pointedIn(parts.request) !== null ? nothing('needs_named') : own
}

/** The plan, unless no sentence accounts for every word of the message and its parts are surely of another action. */
function unlessOther(plan: Plan, parts: PromptParts, home: HomeRules | null): Plan {
  const made = lastTool(plan)
  if (made === null || saidOf(parts).exact) return plan
  const other = home?.byParts(parts, SENTENCES, SURELY_OTHER) ?? null
  const tool = other === null ? null : lastTool(other)
  return other === null || tool === null || tool === made ? plan : other
}

const SURELY_OTHER = 0.6

function lastTool({ steps: own }: Plan): string | null {
  const last = own.findLast((step) => step.do === 'tool')
  return last?.do === 'tool' ? last.tool : null
}

const SENTENCES: Sentences = {
  planOf: (parts) => planOfParts(parts),
  isMeant: (plan, parts) => isMeant(plan, parts, saidOf(parts), true),
}
