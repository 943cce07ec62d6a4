/**
 * `templates.list`: lists who may ask for what, from the shipped templates and the owner's own, whose files are read again; or
 * only what one class of people, or one paired person, may ask for. Changes nothing but what those files say. Called by the table
 * of operations.
 */
import { LEVELS } from '../../../flow/level.ts'
import { ok } from '../../../flow/verdict.ts'
import { FEW_WORDS, maybeRest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, type Telling } from '../../../operations/operation.ts'
import { flag, list, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { PRINCIPAL_CLASSES } from '../../../task/principal.ts'
import type { PersonView } from '../../people/port.ts'

/** Pattern of people other than the speakers; a question about what "I" or "you" may ask is one for help. */
const OTHERS = `(?!(?:i|we|you|ich|wir|du)(?: |$))${FEW_WORDS}?`

const TEMPLATE = record({
  id: text('internal'),
  description: text('internal'),
  ceiling: oneOf(LEVELS, 'internal'),
  who: oneOf(PRINCIPAL_CLASSES, 'internal'),
  own: flag('internal'),
  off: flag('internal'),
  tools: list(text('internal')),
  answers: list(text('internal')),
})

export const listTemplates = defineOperation({
  name: 'templates.list',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: { who: { ...maybeRest(), slot: OTHERS } },
  result: record({ templates: list(TEMPLATE), notices: list(text('internal')), unknown: flag('internal') }),
  ports: ['templates', 'ownTemplates', 'templateSwitch', 'people'],
  slash: 'templates',
  async run({ templates, ownTemplates, templateSwitch, people }, { who }) {
    const { notices } = ownTemplates()
    // Jobs are listed by another operation, with their times.
    const all = templates().filter(({ job }) => !job)
    const named = who === null ? [] : templateSwitch.named(who)
    const meant = who === null || named.length > 0 ? named : agreedWith(await people.list(), who)
    const views = all.filter(({ id, who: by }) =>
      meant.length > 0 ? meant.includes(id) : who === null || by !== 'owner',
    )
    return ok({
      templates: views.map(({ id, description, ceiling, who: by, own, tools, answers }) => ({
        ...{ id, description, ceiling, who: by, own, tools, answers, off: templateSwitch.isOff(id) },
      })),
      ...{ notices, unknown: who !== null && meant.length === 0 },
    })
  },
  text: ({ templates, notices, unknown }, view) =>
    [
      ...(unknown ? [view.tell('templates.unknown')] : []),
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

/** Templates that one person, by the owner's name for them, may use now. */
function agreedWith(people: readonly PersonView[], who: string): readonly string[] {
  const name = who.trim().toLowerCase()
  const one = people.findLast((person) => person.state === 'live' && person.name.toLowerCase() === name)
  return one?.templates ?? []
}

function templateWords(
  { id, description, ceiling, who, own, off, tools, answers }: ValueOf<typeof TEMPLATE>,
  { tell, inChat }: Telling,
): string {
  const goes = answers.includes('asker')
    ? tell('templates.to_asker')
    : tell('templates.to_owner', { count: answers.length })
  const reads = who === 'owner' ? tell('templates.tools', { count: tools.length }) : tools.join(', ')
  const from = tell(own ? 'templates.own' : 'templates.shipped')
  const line =
    inChat === true
      ? tell('templates.line_plain', { description, goes })
      : tell('templates.line', { id, description, reads, level: ceiling, goes, from })
  return oneLine(off ? tell('templates.line_off', { line }) : line)
}
