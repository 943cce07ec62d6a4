/**
 * `grants.revoke`: revokes a grant at once, without approval, because it widens nothing (F-17). Called by the table
 * of operations.
 */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'

export const revokeGrant = defineOperation({
  name: 'grants.revoke',
  place: 'home',
  effect: 'write',
  args: { id: word() },
  result: record({ grant: id('internal') }),
  ports: ['grants'],
  slash: 'revoke',
  run: ({ grants }, { id: grant }, { principal }) => grants.revoke(grant, principal),
  state: async ({ grants }, { id: grant }) => ({
    state: (await grants.list()).find((one) => one.id === grant)?.state ?? null,
  }),
  text: (_, { tell }) => tell('grants.taken_back'),
})
