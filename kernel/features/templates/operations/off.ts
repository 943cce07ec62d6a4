/** `templates.off`: a kind of request of other people is not answered any more, until it is switched on (L-03). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record, text } from '../../../operations/shape.ts'
import { switchedState } from './shape.ts'

export const switchTemplateOff = defineOperation({
  name: 'templates.off',
  place: 'home',
  effect: 'write',
  args: { which: rest() },
  result: record({ templates: list(record({ id: text('internal'), description: text('internal') })) }),
  ports: ['templateSwitch'],
  async run({ templateSwitch }, { which }) {
    const done = templateSwitch.off(which)
    return done.ok ? ok({ templates: [...done.value.templates] }) : done
  },
  state: async ({ templateSwitch }, { which }) => switchedState(templateSwitch, which),
  // Judged by that operation: it puts a card.
  undo: ({ result: { templates } }) => ({
    operation: 'templates.on',
    args: { which: templates.map(({ id }) => id).join(',') },
  }),
  text: ({ templates }, { tell }) =>
    [
      tell('templates.switched_off'),
      ...templates.map(({ id, description }) => oneLine(tell('templates.on_line', { id, description }))),
      tell('templates.back_on', { id: templates[0]?.id ?? '' }),
    ].join('\n'),
})
