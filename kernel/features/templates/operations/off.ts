/**
 * `templates.off`: stops answering a kind of request of other people until it is switched on (L-03). If it names people instead
 * ("Sarah may no longer ask"), ends the agreement with each of them. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { rest } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, type Facts } from '../../../operations/operation.ts'
import { list, record, text } from '../../../operations/shape.ts'
import { isNamed, PEOPLE_SLOT, withMembers } from '../../people/named-people.ts'
import { switchedState } from './shape.ts'

export const switchTemplateOff = defineOperation({
  name: 'templates.off',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { which: { ...rest(), slot: PEOPLE_SLOT } },
  result: record({
    templates: list(record({ id: text('internal'), description: text('internal') })),
    people: list(text('sensitive')),
  }),
  ports: ['templateSwitch', 'people', 'contacts'],
  async run({ templateSwitch, people, contacts }, { which }, caller) {
    const { principal } = caller
    const done = templateSwitch.off(which)
    if (done.ok) return ok({ templates: [...done.value.templates], people: [] })
    const who = withMembers(which, await contacts.list(caller))
    const named = (await people.list()).filter(
      ({ state, name }) => STANDS.includes(state) && isNamed(who, name),
    )
    if (done.reason.code !== 'template_none_matches' || named.length === 0) return done
    for (const { id } of named) {
      const ended = await people.revoke(id, principal)
      if (!ended.ok) return ended
    }
    return ok({ templates: [], people: [...new Set(named.map(({ name }) => name))] })
  },
  state: async ({ templateSwitch, people, contacts }, { which }, caller) => {
    const who = withMembers(which, await contacts.list(caller))
    const named = (await people.list()).filter(({ name }) => isNamed(who, name))
    const states = named.map(({ id, state }) => `${id}:${state}`).join(',')
    return { ...switchedState(templateSwitch, which), ...(states !== '' && { people: states }) }
  },
  // The undo operations ask by a card of their own; an agreement with a person needs a new code.
  undo({ result: { templates }, before }) {
    const ended = endedBy(before)
    if (templates.length > 0)
      return { operation: 'templates.on', args: { which: templates.map(({ id }) => id).join(',') } }
    return ended === '' ? null : { operation: 'people.again', args: { ids: ended } }
  },
  text({ templates, people }, { tell }) {
    if (people.length > 0) return tell('templates.dismissed_named', { names: people.map(oneLine).join(', ') })
    return [
      tell('templates.switched_off'),
      ...templates.map(({ id, description }) => oneLine(tell('templates.on_line', { id, description }))),
      tell('templates.back_on', { id: templates[0]?.id ?? '' }),
    ].join('\n')
  },
})

/** Ids of the agreements that were in force before, from the facts of `state`. */
function endedBy({ people }: Facts): string {
  const all = typeof people === 'string' ? people.split(',').map((one) => one.split(':')) : []
  return all.flatMap(([id = '', state = '']) => (STANDS.includes(state) ? [id] : [])).join(',')
}

/** States of agreements that have not ended. */
const STANDS: readonly string[] = ['asked', 'open', 'live']
