/** `identities.list`: which accounts are one person's (F-15). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, type View } from '../../../operations/operation.ts'
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
  summary: 'which accounts are one person’s, also what ended',
  place: 'home',
  effect: 'read',
  args: {},
  result: list(LINK),
  ports: ['identities'],
  slash: 'identities',
  run: async ({ identities }) => ok(identities.list()),
  text: (links, view) =>
    links.length === 0
      ? 'No two accounts are linked. Each person’s account stands for itself.'
      : links.map((link) => linkWords(link, view)).join('\n\n'),
})

function linkWords({ id: link, state, ends }: ValueOf<typeof LINK>, { say }: View): string {
  const states: Readonly<Record<typeof state, string>> = {
    asked: 'waits for their codes',
    proven: `waits for your yes: ${say('approvals.list')}`,
    live: 'linked',
    ended: 'never came about',
    removed: 'unlinked',
  }
  const lines = ends.map(({ principal, class: as, proved }) => {
    const open = state === 'asked' ? (proved ? ' · has said its code' : ' · has not said its code') : ''
    return `   ${plainPrincipal(principal)} · counts as ${as.replaceAll('_', ' ')}${open}`
  })
  return [`${oneLine(link)} · ${states[state]}`, ...lines].join('\n')
}

/** Without the word that all of them begin with. */
export function plainPrincipal(principal: string): string {
  return oneLine(principal.replace(/^principal:/, ''))
}
