/** `prompts.reload`: reads the owner's prompts/SYSTEM.md (P-02) and task templates again. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, number, record, text } from '../../../operations/shape.ts'

export const reloadPrompts = defineOperation({
  name: 'prompts.reload',
  command: 'reload',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ changed: flag('internal'), tokens: number('internal'), notices: list(text('internal')) }),
  ports: ['prompts', 'ownTemplates'],
  slash: 'reload',
  awake: true,
  async run({ prompts, ownTemplates }) {
    const [texts, templates] = [prompts(), ownTemplates()]
    const notices = [...texts.notices, ...templates.notices]
    return ok({ changed: texts.changed || templates.changed, tokens: texts.tokens, notices })
  },
  text: ({ changed, tokens, notices }, { tell }) => {
    const state = tell(changed ? 'places.read_again' : 'places.unchanged')
    return [tell('places.document', { state, tokens }), ...notices].join('\n')
  },
})
