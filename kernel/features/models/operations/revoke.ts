/** `models.revoke`: takes that back: every grant that stands for it (D-07). Called by the table of operations. */
import { err, type Result } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'
import { standingFor } from './standing.ts'

export const revokeCloud = defineOperation({
  name: 'models.revoke',
  summary: 'let cloud models read no private data of a template any more, at once',
  place: 'home',
  effect: 'write',
  args: { template: word('from `pfar models`') },
  result: record({ grant: id('internal') }),
  ports: ['grants'],
  async run({ grants }, { template }, { principal }) {
    let last: Result<{ readonly grant: string }> = err('grant_missing')
    for (const { id: grant } of standingFor(await grants.list(), template))
      last = await grants.revoke(grant, principal)
    return last
  },
  state: async ({ grants }, { template }) => ({
    standing: standingFor(await grants.list(), template).length,
  }),
  text: () => 'Taken back. From the next call on, only models at home read what is private there.',
})
