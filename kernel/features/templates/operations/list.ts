/**
 * `templates.list`: who may ask for what, from the shipped templates and the owner's own, after reading the own files again. Changes
 * nothing that a file does not say. Called by the table of operations.
 */
import { LEVELS } from '../../../flow/level.ts'
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, type Telling } from '../../../operations/operation.ts'
import { flag, list, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { PRINCIPAL_CLASSES } from '../../../task/principal.ts'

const TEMPLATE = record({
  id: text('internal'),
  description: text('internal'),
  ceiling: oneOf(LEVELS, 'internal'),
  who: oneOf(PRINCIPAL_CLASSES, 'internal'),
  own: flag('internal'),
  tools: list(text('internal')),
  answers: list(text('internal')),
})

export const listTemplates = defineOperation({
  name: 'templates.list',
  place: 'home',
  effect: 'read',
  args: {},
  result: record({ templates: list(TEMPLATE), notices: list(text('internal')) }),
  ports: ['templates', 'ownTemplates'],
  slash: 'templates',
  async run({ templates, ownTemplates }) {
    const { notices } = ownTemplates()
    // Jobs have a list of their own, with their times.
    const views = templates().filter(({ job }) => !job)
    return ok({
      templates: views.map(({ id, description, ceiling, who, own, tools, answers }) => ({
        ...{ id, description, ceiling, who, own, tools, answers },
      })),
      notices,
    })
  },
  text: ({ templates, notices }, view) =>
    [
      ...PRINCIPAL_CLASSES.flatMap((who) => {
        const those = templates.filter((template) => template.who === who)
        return those.length === 0
          ? []
          : [view.tell(`templates.who_${who}`), ...those.map((one) => templateWords(one, view))]
      }),
      ...(notices.length === 0 ? [] : ['', ...notices.map(oneLine)]),
      '',
      view.tell('templates.how'),
    ].join('\n'),
})

function templateWords(
  { id, description, ceiling, who, own, tools, answers }: ValueOf<typeof TEMPLATE>,
  { tell }: Telling,
): string {
  const goes = answers.includes('asker')
    ? tell('templates.to_asker')
    : tell('templates.to_owner', { count: answers.length })
  const reads = who === 'owner' ? tell('templates.tools', { count: tools.length }) : tools.join(', ')
  const from = tell(own ? 'templates.own' : 'templates.shipped')
  return oneLine(tell('templates.line', { id, description, reads, level: ceiling, goes, from }))
}
