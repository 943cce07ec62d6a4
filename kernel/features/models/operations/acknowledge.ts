/**
 * `models.acknowledge`: proposes that cloud models may read private data of one template (D-07). Sends an approval card; allows
 * nothing itself. Called by the table of operations.
 */
import { maybeWord } from '../../../operations/argument.ts'
import { PROPOSED, proposedWords } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'

export const acknowledgeCloud = defineOperation({
  name: 'models.acknowledge',
  place: 'home',
  effect: 'widen',
  args: { template: maybeWord() },
  result: PROPOSED,
  ports: ['cloud'],
  run: ({ cloud }, { template }, caller) => cloud(caller, template),
  text: proposedWords,
})
