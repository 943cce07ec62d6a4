/**
 * `webservices.allow`: proposes a host, with the label of its answers and the form in which its key is sent. Sends an approval
 * card; adds nothing itself, and takes no key. Called by the table of operations.
 */
import { maybeNamed, word } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { HOST, KEY, LABEL } from './shape.ts'

export const allowWebservice = defineOperation({
  name: 'webservices.allow',
  place: 'home',
  effect: 'widen',
  args: {
    host: { ...word(), slot: HOST },
    label: { ...maybeNamed(), slot: LABEL },
    key: { ...maybeNamed(), slot: KEY },
  },
  result: PROPOSED,
  ports: ['webservices'],
  run: ({ webservices }, typed, caller) => webservices.allow(caller, typed),
  text: proposedWords,
})
