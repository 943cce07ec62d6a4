/**
 * Step of `pfar init` that asks, for each kind of conversation with private data, whether models of other companies may
 * read it (D-03). The default is no. A yes only creates a card, which needs a separate approval (F-17). Called by
 * init-command.ts.
 */
import { acknowledgeCloud } from '../../kernel/features/models/operations/acknowledge.ts'
import { listModels } from '../../kernel/features/models/operations/list.ts'
import type { TemplateView } from '../../kernel/features/models/port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Step } from '../init/step.ts'
import { again, taken } from '../init/step.ts'
import { agree } from './chat/agree.ts'
import { terminalLine } from './chat/terminal-text.ts'
import { type CommandContext, onLine } from './command.ts'
import type { ActionInput } from './init-steps.ts'

export interface CloudStepInput extends Pick<ActionInput, 'context' | 'config'> {
  readonly ask: (question: string) => Promise<string | null>
}

const NONE = 'none'

export function cloudStep({ context, config, ask }: CloudStepInput): Step {
  const clouds = (): readonly string[] =>
    config().models.providers.flatMap(({ locality, name }) => (locality === 'cloud' ? [name] : []))
  return {
    ...{ name: 'cloud', title: 'cloud' },
    async look() {
      const names = clouds()
      if (names.length === 0) return { state: 'absent', says: 'no model of another company is set up' }
      const templates = await privateTemplates(context)
      if (templates.length === 0) return { state: 'absent', says: 'nothing private could go to a cloud' }
      const listed = templates.map(({ id, description }) => `  ${terminalLine(`${id}: ${description}`)}`)
      return {
        state: 'due',
        question: `${names.join(', ')}: these companies would read your prompts. Which conversations may they read, private data\nincluded? Without a yes they get none of it. Name one:\n${listed.join('\n')}\n(its name, or ${NONE})`,
        usual: NONE,
      }
    },
    async take(answer) {
      if (answer.toLowerCase() === NONE) return taken('no cloud reads what is private')
      const templates = await privateTemplates(context)
      const wanted = templates.find(({ id }) => id === answer)
      if (wanted === undefined) return again('That is none of them.')
      const asked = { template: wanted.id }
      const given = await agree(context, (link) => link.call(acknowledgeCloud, asked), ask)
      const more = 'more of them: `pfar models acknowledge`'
      return given ? taken(`clouds may read ${wanted.id} for a year; ${more}`) : again('Nothing was allowed.')
    },
  }
}

/** Templates that read data above `internal` and that no cloud model may read yet. */
async function privateTemplates(context: CommandContext): Promise<readonly TemplateView[]> {
  let found: readonly TemplateView[] = []
  await onLine(context, { line: 'private', start: true }, async (link) => {
    const view = await link.call(listModels, {})
    if (!view.ok) return view
    found = view.value.templates.filter(
      ({ ceiling, acknowledgedUntil }) => ceiling === 'sensitive' && acknowledgedUntil === null,
    )
    return ok(0)
  })
  return found
}
