/**
 * The plan of the planner without a model for a message, as canonical text; of the same messages in node and in workerd. Must not read files: the
 * bundle of workerd holds it. Called by plans.test.ts, there and in the program that it bundles.
 */
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

/** Sunday 22 November 2026, 11:30 in Berlin. */
const NOW = Date.parse('2026-11-22T10:30:00Z')
const TIMEZONE = 'Europe/Berlin'

const EXTRACTOR = createMessageExtractor()
const EFFECTS = [
  'memory.save',
  'memory.search',
  'reminder.set',
  'reminder.later',
  'task.add',
  'task.done',
  'task.list',
  'reminder.list',
]
const TOOLS: readonly string[] = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...EFFECTS,
]

/** Rows that were shown before: what "it" and "the second one" are about. */
const SHOWN: PromptParts['metadata'] = [
  {
    root: 'w1',
    action: 'email.list',
    fields: {
      emails: {
        count: 2,
        items: [0, 1].map((at) => ({
          id: { ref: `w1.emails[${at}].id`, kind: 'id', size: 'line' },
          from: { ref: `w1.emails[${at}].from`, kind: 'email', size: 'line', known: 'Sarah' },
          subject: { ref: `w1.emails[${at}].subject`, kind: 'text', size: 'line' },
          unread: at === 0,
        })),
      },
      more: false,
    },
  },
]

/** `shown`: with what an earlier answer showed. */
export function plansOf(texts: readonly string[], shown: boolean): readonly string[] {
  return texts.map((text) => canonicalJson(planOf(text, shown) as unknown as Json))
}

function planOf(text: string, shown: boolean): { readonly fields: Json; readonly plan: unknown } {
  const fields = EXTRACTOR.extract(text, { now: NOW, timezone: TIMEZONE }) as { readonly [key: string]: Json }
  const parts: PromptParts = {
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request: text, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [{ root: 'said', action: 'extractor:message:owner', fields }, ...(shown ? SHOWN : [])],
    tools: TOOLS.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: {
      ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: TIMEZONE },
      now: '2026-11-22T11:30',
    },
  }
  return { fields, plan: planFor(parts) }
}
