/**
 * `models.put_back`: restores an earlier order, as an audit row stores it. Checked like the change itself. Called by the table of
 * operations.
 */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { choiceIn, choiceWords } from '../choice.ts'
import { CHOSEN, chosenWords, takenBack } from './shape.ts'

export const putModelBack = defineOperation({
  name: 'models.put_back',
  command: 'models back',
  place: 'home',
  effect: 'write',
  args: { choice: word() },
  result: CHOSEN,
  ports: ['models', 'choice'],
  run: ({ models, choice }, { choice: before }, caller) =>
    choice.set(caller, choiceIn(before), models.views()),
  state: async ({ choice }) => ({ choice: choiceWords(choice.read()) }),
  undo: ({ result }) => takenBack(result),
  text: (chosen, view) => chosenWords(chosen, view),
})
