/**
 * `models.revoke`: revokes every grant that lets cloud models read data of a template (D-07). Called by the table of
 * operations.
 */
import { err, type Result } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'
import { standingFor } from './list.ts'

export const revokeCloud = defineOperation({
  name: 'models.revoke',
  place: 'home',
  effect: 'write',
  args: { template: word() },
  result: record({ grant: id('internal') }),
  ports: ['grants'],
  async run({ grants }, { template }, { principal }) {
    let last: Result<{ readonly grant: string }> = err('grant_missing')
    for (const { id: grant } of standingFor(await grants.list(), template))
      last = await grants.revoke(grant, principal)
    return last
  },
  undo: ({ args: { template } }) => ({ operation: 'models.acknowledge', args: { template } }),
  state: async ({ grants }, { template }) => ({
    standing: standingFor(await grants.list(), template).length,
  }),
  text: (_, { tell }) => tell('models.taken_back'),
})
