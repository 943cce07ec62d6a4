/**
 * `models.reads`: shows which model is asked first, and in plain words what a cloud model may read (D-07, L-05). Called by the
 * table of operations.
 */
import { rankOf } from '../../../flow/level.ts'
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, number, record, text } from '../../../operations/shape.ts'
import { choiceIn, choiceWords, FIXED } from '../choice.ts'
import { orderWords } from '../choice-port.ts'
import { standingFor } from './list.ts'

const CLOUD = record({ name: text('internal'), model: text('internal'), host: text('internal') })
const OPEN = record({ id: text('internal'), description: text('internal'), until: number('internal') })

export const modelReads = defineOperation({
  name: 'models.reads',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({
    choice: text('internal'),
    names: list(text('internal')),
    clouds: list(CLOUD),
    open: list(OPEN),
    plain: list(text('internal')),
    here: flag('internal'),
  }),
  ports: ['models', 'choice', 'templates', 'grants'],
  slash: 'modelreads',
  async run({ models, choice, templates, grants }, _, { sink }) {
    const all = await grants.list()
    const every = templates()
    const views = models.views()
    const private_ = every.filter(({ ceiling }) => rankOf(ceiling) > rankOf('internal'))
    return ok({
      choice: choiceWords(choice.read()),
      names: views.filter(({ place }) => place !== null).map(({ name, model }) => `${name} (${model})`),
      clouds: views
        .filter(({ locality }) => locality === 'cloud')
        .map(({ name, model, host }) => ({ name, model, host })),
      open: private_.flatMap(({ id, description }) =>
        standingFor(all, id).map(({ expiresAt }) => ({ id, description, until: expiresAt })),
      ),
      plain: every
        .filter((one) => !private_.includes(one) && !FIXED.includes(one.provider))
        .map(({ description }) => description),
      here: private_.some(({ id, answers }) => answers.includes(sink) && standingFor(all, id).length > 0),
    })
  },
  text({ choice, names, clouds, open, plain, here }, { tell, say }) {
    const order =
      names.length === 0
        ? tell('models.only_rules')
        : `${tell('models.order', { names: oneLine(names.join(', ')) })} ${orderWords(choiceIn(choice))}`
    if (clouds.length === 0) return [order, tell('models.no_cloud')].join('\n')
    return [
      order,
      ...clouds.map(({ model, host }) => oneLine(tell('models.card_whom', { model, host }))),
      ...(plain.length === 0 ? [] : [oneLine(tell('models.reads_open', { what: plain.join('; ') }))]),
      ...open.map(({ id, description, until }) =>
        tell('models.reads_until', {
          ...{ description: oneLine(description), day: new Date(until).toISOString().slice(0, 10) },
          back: say('models.revoke', id),
        }),
      ),
      ...(open.length === 0 ? [tell('models.reads_no_private')] : []),
      tell('models.reads_never'),
      ...(here ? [] : [tell('models.reads_ask')]),
    ].join('\n')
  },
})
