/** `identities.list`: the linked accounts of one person (F-15). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, type Telling } from '../../../operations/operation.ts'
import { flag, id, list, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import { PRINCIPAL_CLASSES } from '../../../task/principal.ts'

const LINK = record({
  id: id('internal'),
  state: oneOf(['asked', 'proven', 'live', 'ended', 'removed'], 'internal'),
  ends: list(
    record({
      principal: text('sensitive'),
      class: oneOf(PRINCIPAL_CLASSES, 'internal'),
      proved: flag('internal'),
    }),
  ),
  createdAt: number('internal'),
})

export const listIdentities = defineOperation({
  name: 'identities.list',
  place: 'home',
  effect: 'read',
  args: {},
  result: list(LINK),
  ports: ['identities'],
  slash: 'identities',
  run: async ({ identities }) => ok(identities.list()),
  text: (links, view) =>
    links.length === 0
      ? view.tell('identities.none')
      : links.map((link) => linkWords(link, view)).join('\n\n'),
})

function linkWords({ id: link, state, ends }: ValueOf<typeof LINK>, { say, tell }: Telling): string {
  const stands = tell(`identities.${state}`, { waiting: say('approvals.list') })
  const lines = ends.map(({ principal, class: as, proved }) => {
    const open = state === 'asked' ? [tell(proved ? 'identities.said' : 'identities.silent')] : []
    const counts = tell('identities.counts', { as: as.replaceAll('_', ' ') })
    return `   ${[plainPrincipal(principal), counts, ...open].join(' · ')}`
  })
  return [`${oneLine(link)} · ${stands}`, ...lines].join('\n')
}

/** The principal without the prefix common to all principals. */
export function plainPrincipal(principal: string): string {
  return oneLine(principal.replace(/^principal:/, ''))
}
