/** Words for a card as they are typed, and the texts of the owner's that a task keeps in place of its plan's. */
import { expect, it } from 'vitest'
import { answerInMessage, severalInMessage } from '../../kernel/task/answers/answer-words.ts'
import { editInMessage, readsAsChange, readsAsCopy } from '../../kernel/task/answers/edit-words.ts'
import { editOf, editsOf, withEdit } from '../../kernel/task/edits.ts'
import type { Edit } from '../../kernel/task/task.ts'

const edit = (argument: string, id: string): Edit => ({ argument, ref: { id } as Edit['ref'] })

it('keeps one text for each argument of a step, also beside that of a task of before', () => {
  const before = { edits: { s1: edit('body', 'old'), s10: edit('body', 'other') } }
  const subject = { edits: withEdit(before, 's1', edit('subject', 'a')) }
  expect(editsOf(subject, 's1').map(({ ref }) => ref.id)).toEqual(['old', 'a'])
  const both = { edits: withEdit(subject, 's1', edit('body', 'new')) }
  expect(editOf(both, 's1', 'body')?.ref.id).toBe('new')
  expect(editOf(both, 's1', 'subject')?.ref.id).toBe('a')
  expect(editsOf(both, 's1')).toHaveLength(2)
  expect(editOf(both, 's10', 'body')?.ref.id).toBe('other')
  expect(editsOf({}, 's1')).toEqual([])
})

it.each([
  ['edit: Hello', '', '', 'Hello'],
  ['Edit : two\nlines', '', '', 'two\nlines'],
  ['edit 15: Mum', '15', '', 'Mum'],
  ['edit 3 see you at 8: bring cake', '3', '', 'see you at 8: bring cake'],
  ['edit subject: The dog', '', 'subject', 'The dog'],
  ['edit 15 subject: The dog', '15', 'subject', 'The dog'],
  ['/edit ab12.2 Hello', 'ab12.2', '', 'Hello'],
  ['/edit 3 subject: The dog', '3', 'subject', 'The dog'],
  ['ändere betreff: Der Hund', '', 'betreff', 'Der Hund'],
])('reads %j', (said, which, field, text) => {
  expect(editInMessage(said)).toEqual({ which, field, text })
})

it.each(['edit', 'edit:', '/edit', '/edit 3', 'edit my profile', 'edited: yes', 'please edit: x'])(
  'reads no edit in %j',
  (said) => expect(editInMessage(said)).toBeNull(),
)

it.each([
  ['half an hour later', true],
  ['at 4 instead', true],
  ['make it seven', true],
  ['and invite Tom', true],
  ['ganztägig', true],
  ['eine halbe Stunde früher', true],
  ['Later that evening with Anna', false],
  ['At the lake with Tom', false],
  ['Make the cake', false],
  ['Swimming with Anna', false],
  ['Tee um 4', false],
])('a new name or a change: %j', (said, is) => expect(readsAsChange(said)).toBe(is))

it('of a text that may say anything, only who gets it reads as a change', () => {
  expect(readsAsCopy('half an hour later')).toBe(false)
  expect(readsAsCopy('add a cc to Mira')).toBe(true)
})

it.each([
  ['no, wait', { decision: 'deny', which: '' }],
  ['nein, warte mal', { decision: 'deny', which: '' }],
  ['no, on Friday', null],
  ['no, wait for Tom', null],
  ['yes, wait', null],
])('an answer in haste: %j', (said, answer) => expect(answerInMessage(said)).toEqual(answer))

it.each([
  ['yes to both', 'approve'],
  ['ja zu beiden', 'approve'],
  ['yes 11 and 15', 'approve'],
  ['no to all', 'deny'],
  ['yes', null],
  ['yes 11', null],
  ['yes to the first', null],
  ['all right', null],
])('an answer to several: %j', (said, decision) =>
  expect(severalInMessage(said)?.decision ?? null).toBe(decision),
)
