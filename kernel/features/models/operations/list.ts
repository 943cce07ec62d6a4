/** `models.list`: which models answer, and for which templates cloud models may read private data (D-07). Called by the table of operations. */
import { LEVELS } from '../../../flow/level.ts'
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { standingFor } from './standing.ts'

const MODEL = record({
  name: text('internal'),
  kind: text('internal'),
  model: text('internal'),
  locality: oneOf(['home', 'cloud'], 'internal'),
  clearance: text('internal'),
  place: maybe(number('internal')),
  state: oneOf(['works', 'resting', 'trying', 'misconfigured'], 'internal'),
  host: text('internal'),
})

const TEMPLATE = record({
  id: text('internal'),
  description: text('internal'),
  ceiling: oneOf(LEVELS, 'internal'),
  provider: text('internal'),
  asks: flag('internal'),
  acknowledgedUntil: maybe(number('internal')),
})

const RESULT = record({
  models: list(MODEL),
  templates: list(TEMPLATE),
  trouble: maybe(record({ key: text('internal'), problem: text('internal') })),
})

export const listModels = defineOperation({
  name: 'models.list',
  summary: 'which models answer, and for which templates cloud models may read private data',
  place: 'home',
  effect: 'read',
  args: {},
  result: RESULT,
  ports: ['models', 'templates', 'grants'],
  slash: 'models',
  phrases: ['which models do you use'],
  async run({ models, templates, grants }) {
    const all = await grants.list()
    const views = templates.map((template) => {
      const until = standingFor(all, template.id).map(({ expiresAt }) => expiresAt)
      return { ...template, acknowledgedUntil: until.length === 0 ? null : Math.max(...until) }
    })
    return ok({ models: models.views(), templates: views, trouble: models.trouble })
  },
  text: ({ models, templates, trouble }) => {
    const wrong =
      trouble === null
        ? []
        : [`${oneLine(trouble.key)} ${oneLine(trouble.problem)}. Until then rules alone answer.`, '']
    const last = models.filter(({ place }) => place !== null).length + 1
    return [
      ...wrong,
      ...models.map(modelWords),
      `${last}. rules · on this machine, without a network · last`,
      '',
      ...templates.map(templateWords),
    ].join('\n')
  },
})

const STATES: Readonly<Record<ValueOf<typeof MODEL>['state'], string>> = Object.freeze({
  works: 'in order',
  resting: 'left alone for some minutes, as it failed',
  trying: 'about to be tried again',
  misconfigured: 'refuses how it is set up: look at its key and its model',
})

function modelWords(one: ValueOf<typeof MODEL>): string {
  const { name, place, model, kind, locality, host, clearance, state } = one
  const at = place === null ? '-' : `${place}.`
  const where = locality === 'home' ? 'at home' : 'in a cloud'
  const first = `${at} ${name} · ${kind} ${model} · ${where}, ${host}`
  return `${oneLine(first)}\n   ${oneLine(`reads up to ${clearance} · ${STATES[state]}`)}`
}

function templateWords(template: ValueOf<typeof TEMPLATE>): string {
  const { id, ceiling, provider, asks, acknowledgedUntil } = template
  const reads =
    acknowledgedUntil === null ? 'no' : `yes, until ${new Date(acknowledgedUntil).toISOString().slice(0, 10)}`
  const wish = asks && acknowledgedUntil === null ? ' (its file asks for it)' : ''
  const guarded = ceiling === 'public' || ceiling === 'internal'
  const cloud = guarded ? 'nothing private is read' : `private data to a cloud: ${reads}${wish}`
  return oneLine(`${id} · up to ${ceiling} · asks ${provider} · ${cloud}`)
}
