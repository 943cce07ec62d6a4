/** What a typed line means. */
import { expect, test } from 'vitest'
import { parseChatLine } from '../../sidecar/cli/chat-line.ts'

test.each([
  ['', 0, { kind: 'nothing' }],
  ['   ', 1, { kind: 'nothing' }],
  ['check my email', 0, { kind: 'say', text: 'check my email' }],
  [' hi ', 0, { kind: 'say', text: 'hi' }],
  ['/help', 0, { kind: 'help' }],
  ['/status', 0, { kind: 'status' }],
  ['/approvals', 0, { kind: 'approvals' }],
  ['/stop', 0, { kind: 'stop' }],
  ['/quit', 0, { kind: 'quit' }],
  ['/QUIT', 0, { kind: 'quit' }],
  ['/approve', 2, { kind: 'decide', decision: 'approve', which: '' }],
  ['/approve 2', 2, { kind: 'decide', decision: 'approve', which: '2' }],
  ['/deny 1', 2, { kind: 'decide', decision: 'deny', which: '1' }],
  ['/constructor', 0, { kind: 'say', text: '/constructor' }],
  ['/mode Build', 0, { kind: 'say', text: '/mode Build' }],
  ['/context', 1, { kind: 'say', text: '/context' }],
  ['/usage', 1, { kind: 'say', text: '/usage' }],
  ['/dance now', 0, { kind: 'say', text: '/dance now' }],
  ['yes', 1, { kind: 'decide', decision: 'approve', which: '' }],
  ['Yes.', 1, { kind: 'decide', decision: 'approve', which: '' }],
  ['n', 1, { kind: 'decide', decision: 'deny', which: '' }],
  ['yes', 0, { kind: 'say', text: 'yes' }],
  ['yes', 2, { kind: 'say', text: 'yes' }],
  ['no, on Friday', 1, { kind: 'say', text: 'no, on Friday' }],
  ['edit: Tea, my treat', 1, { kind: 'edit', which: '', text: 'Tea, my treat' }],
  ['Edit: yes', 1, { kind: 'edit', which: '', text: 'yes' }],
  ['edit: Tea', 0, { kind: 'say', text: 'edit: Tea' }],
  ['edit: Tea', 2, { kind: 'say', text: 'edit: Tea' }],
  ['edit:', 1, { kind: 'say', text: 'edit:' }],
  ['/edit 2 Tea, my treat', 2, { kind: 'edit', which: '2', text: 'Tea, my treat' }],
  ['/edit', 1, { kind: 'unknown', name: 'edit' }],
  ['toString', 1, { kind: 'say', text: 'toString' }],
])('%j with %i waiting', (line, waiting, expected) => {
  expect(parseChatLine(line, waiting)).toEqual(expected)
})
