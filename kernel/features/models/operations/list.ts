/**
 * `models.list`: the models of a place, and the templates whose private data cloud models may read (D-07). Called by
 * the table of operations.
 */
import { LEVELS } from '../../../flow/level.ts'
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import type { Tell } from '../../../wording/words.ts'
import type { GrantView } from '../../grants/port.ts'

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
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: RESULT,
  ports: ['models', 'templates', 'grants'],
  slash: 'models',
  async run({ models, templates, grants }) {
    const all = await grants.list()
    const views = templates().map((template) => {
      const until = standingFor(all, template.id).map(({ expiresAt }) => expiresAt)
      const { id, description, ceiling, provider, asks } = template
      return {
        id,
        description,
        ceiling,
        provider,
        asks,
        acknowledgedUntil: until.length === 0 ? null : Math.max(...until),
      }
    })
    return ok({ models: models.views(), templates: views, trouble: models.trouble })
  },
  text: ({ models, templates, trouble }, { tell }) => {
    const wrong =
      trouble === null
        ? []
        : [tell('models.trouble', { key: oneLine(trouble.key), problem: oneLine(trouble.problem) }), '']
    const last = models.filter(({ place }) => place !== null).length + 1
    return [
      ...wrong,
      ...models.map((model) => modelWords(model, tell)),
      tell('models.rules', { place: last }),
      '',
      ...templates.map((template) => templateWords(template, tell)),
    ].join('\n')
  },
})

function modelWords(one: ValueOf<typeof MODEL>, tell: Tell): string {
  const { name, place, model, kind, locality, host, clearance, state } = one
  const at = place === null ? '-' : `${place}.`
  const where = tell(`models.in_${locality}`)
  const first = `${at} ${name} · ${kind} ${model} · ${where}, ${host}`
  return `${oneLine(first)}\n   ${oneLine(tell('models.reads', { clearance, state: tell(`models.${state}`) }))}`
}

function templateWords(template: ValueOf<typeof TEMPLATE>, tell: Tell): string {
  const { id, ceiling, provider, asks, acknowledgedUntil } = template
  const reads =
    acknowledgedUntil === null
      ? tell('models.never')
      : tell('models.until', { day: new Date(acknowledgedUntil).toISOString().slice(0, 10) })
  const wish = asks && acknowledgedUntil === null ? tell('models.wish') : ''
  const guarded = ceiling === 'public' || ceiling === 'internal'
  const cloud = guarded ? tell('models.guarded') : tell('models.cloud', { reads, wish })
  return oneLine(tell('models.template', { id, ceiling, provider, cloud }))
}

/** Grants for all tasks of the template; a grant for one job is listed with the other permissions. */
export function standingFor(grants: readonly GrantView[], template: string): readonly GrantView[] {
  return grants.filter(
    (grant) =>
      grant.kind === 'cloud' &&
      grant.job === undefined &&
      grant.template === template &&
      grant.state === 'live',
  )
}
