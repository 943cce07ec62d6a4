/**
 * `webservices.save`: proposes a request that can then be made by its name. Sends an approval card; saves nothing itself. Called
 * by the table of operations.
 */
import { maybeNamed, maybeRest, word } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ADDRESS, FIELDS, LABEL, NAME } from './shape.ts'

export const saveWebservice = defineOperation({
  name: 'webservices.save',
  place: 'home',
  effect: 'widen',
  args: {
    name: { ...word(), slot: NAME },
    address: { ...word(), slot: ADDRESS },
    label: { ...maybeNamed(), slot: LABEL },
    fields: { ...maybeRest(), slot: FIELDS },
  },
  result: PROPOSED,
  ports: ['webservices'],
  run: ({ webservices }, typed, caller) => webservices.save(caller, typed),
  text: proposedWords,
})
