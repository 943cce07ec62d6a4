/** `reminders.answer`: the owner's answer to a reminder that came: done, or later. Called by the table of operations. */
import { err } from '../../../flow/verdict.ts'
import { countWord, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { CHOICES } from '../port.ts'
import { ENTRY, entryWords } from './shape.ts'

export const answerToReminder = defineOperation({
  name: 'reminders.answer',
  place: 'both',
  from: 'open',
  effect: 'write',
  command: 'answerremind',
  released: true,
  args: { number: countWord(), how: word() },
  result: ENTRY,
  ports: ['reminders', 'drive'],
  async run({ reminders, drive }, { number, how }, caller) {
    const choice = CHOICES.find((one) => one === how)
    if (choice === undefined) return err('tool_arguments_invalid', { path: 'how' })
    const done = await reminders.answer(caller, number, choice)
    // The timer has to know of the new time.
    if (done.ok) drive()
    return done
  },
  undo: ({ args: { number } }) => ({ operation: 'reminders.restore', args: { which: String(number) } }),
  text: (one, view, { how }) =>
    view.tell(how === 'done' ? 'reminders.task_ended' : 'reminders.put_off', {
      entry: entryWords(one, view),
    }),
})
