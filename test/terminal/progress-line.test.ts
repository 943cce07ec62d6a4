/** When a request in the terminal is called slow: once, for the one that has been open longest. */
import { expect, test } from 'vitest'
import { createProgress } from '../../sidecar/cli/chat/progress-line.ts'

test('the oldest request is slow after fifteen seconds, and is named once', () => {
  let now = 0
  const drawn: string[] = []
  const screen = {
    out: () => undefined,
    err: () => undefined,
    progress: (text: string) => void drawn.push(text),
    dim: (text: string) => text,
  }
  const progress = createProgress({ screen }, () => now)
  const open = new Map([
    ['a', 0],
    ['b', 0],
  ])
  const look = (at: number, idle = true) => {
    now = at
    return progress.show({ prompt: { idle: () => idle, show: () => undefined } as never, open })
  }
  expect([look(1_000), look(14_999), look(15_000), look(16_000)]).toEqual([null, null, 'a', null])
  open.delete('a')
  expect([look(17_000), look(18_000, false)]).toEqual(['b', null])
  expect(drawn.at(-1)).toBe('')
})
