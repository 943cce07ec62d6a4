/**
 * Recognises a request that is a name given by the owner, such as that of a saved request: "office temp?".
 * The names come with the offered tools. Pure. Called by planner.ts.
 */
import type { PromptParts, ToolCard } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { sentenceOf } from '../../extractors/message/message-sentence.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'

/**
 * The plan for the name that the whole request is; null where it is none. A longer name is tried before one
 * that it begins with.
 */
export function calledPlan({ request, tools }: Pick<PromptParts, 'request' | 'tools'>): Plan | null {
  const asked = request.trim().replace(/(?<![\s?!.])[\s?!.]+$/, '')
  for (const { called: said, lists = {} } of TOOL_PHRASES) {
    const card = said === undefined ? undefined : tools.find(({ id }) => id === said.tool)
    if (said === undefined || card?.called === undefined) continue
    const names = [...card.called.names].sort((one, other) => other.length - one.length)
    for (const name of names) {
      const shapes = { name: { pattern: patternOf(name), example: name } }
      const fits = Object.entries(said.says).some(([language, sentences]) =>
        sentences.some((sentence) => {
          const grammar = { lists: lists[language] ?? {}, loose: true, shapes }
          return sentenceOf(sentence, grammar).match(asked) !== null
        }),
      )
      if (fits) return planOf(card, name)
    }
  }
  return null
}

function planOf({ id, called }: ToolCard, name: string): Plan {
  return {
    steps: [{ id: 's1', do: 'tool', tool: id, args: { [called?.argument ?? '']: name } }],
    explanation: '',
  }
}

/** Words apart by a space or a hyphen, as people type a name. */
function patternOf(name: string): string {
  return name
    .split(' ')
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('[\\s_-]{1,3}')
}
