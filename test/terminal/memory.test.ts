/** `pfar memory`: what is shown, and that only what was named is changed (E-20). */
import { describe, expect, test } from 'vitest'
import { forgetMemory } from '../../kernel/features/memory/operations/forget.ts'
import type { EntryView } from '../../kernel/features/memory/port.ts'
import { operationCommand } from '../../sidecar/cli/commands/operation-command.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'
import type { Script } from './scripted-link.ts'

const FACT: EntryView = {
  id: 'f1',
  number: 1,
  kind: 'fact',
  tool: null,
  text: 'tea at \u001b[2Jfour',
  label: 'sensitive',
  told: false,
  at: 0,
}
const COPY: EntryView = {
  ...FACT,
  id: 'open/f2',
  number: 4,
  text: 'the locker is 12',
  label: 'internal',
  told: true,
}
const RESULT: EntryView = { ...FACT, id: 'r1', number: 7, kind: 'result', tool: 'email.list', text: '{}' }

async function run(args: readonly string[], script: Script = { memory: [FACT, COPY, RESULT] }) {
  const { context, out, err, link } = bench(script)
  const code = await runProgram(context, ['memory', ...args])
  return { code, out: out.join('\n'), err: err.join('\n'), changed: link.changed }
}

/** With this answer to the question. */
async function asked(answer: string | null, which: string) {
  const { context, out, err, link } = bench({ memory: [FACT, COPY, RESULT] })
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answer
  }
  const options = {
    operation: forgetMemory,
    args: { which },
    line: 'private',
    json: false,
    yes: false,
  } as const
  const code = await operationCommand(context, { ...options, ask })
  return { code, out: out.join('\n'), err: err.join('\n'), changed: link.changed, questions }
}

describe('pfar memory', () => {
  test('lists entries with numbers and removes control characters', async () => {
    const { out } = await run([])
    expect(out).toMatch(/^1\. tea at four\n {3}you said · sensitive · .+ ago\n4\. the locker is 12\n/)
    expect(out).toContain('you said · internal · from the open line')
    expect(out).toContain('7. {}\n   email.list · sensitive')
  })

  test('says when there is nothing', async () =>
    expect((await run([], {})).out).toBe('Nothing is remembered. Say "remember that …" to change that.'))

  test.each<[string, readonly string[], unknown, RegExp]>([
    [
      'by number',
      ['forget', '1', '--yes'],
      ['f1'],
      /^1\. tea at four\n.*\nForgotten: tea at four\. For ten minutes this brings it back: pfar memory undo$/,
    ],
    ['by id', ['forget', 'r1', '--yes'], ['r1'], /^7\. .*\n.*\nForgotten: /],
    [
      'a copy, and says so',
      ['forget', '4', '--yes'],
      ['open/f2'],
      /Forgotten: .*\nWhat you told me on the open line is kept there: pfar memory --line open$/,
    ],
    [
      'a correction',
      ['correct', '1', 'tea', 'at', 'five'],
      [['f1', 'tea at five']],
      /^Corrected: tea at five\. Before: tea at four\. For ten minutes /,
    ],
    ['the last one back', ['undo'], ['undo null'], /^Remembered again:\n1\. tea at four\n/],
    ['one back by its number', ['undo', '4'], ['undo 4'], /^Remembered again:\n/],
  ])('changes %s', async (_, args, changed, said) => {
    const ran = await run(args)
    expect([ran.code, ran.changed, ran.out]).toEqual([0, changed, expect.stringMatching(said)])
  })

  test.each([
    ['yes', true],
    ['no', false],
    ['', false],
    ['perhaps', false],
    [null, false],
  ])('shows what would be deleted and asks: %j', async (answer, goes) => {
    const ran = await asked(answer, '4')
    expect(ran.out).toMatch(/^4\. the locker is 12\n/)
    expect(ran.questions).toEqual(['\nForget this? (yes, no)\n[no] > '])
    expect([ran.code, ran.changed]).toEqual(goes ? [0, ['open/f2']] : [1, []])
    expect(ran.err).toBe(goes ? '' : 'Nothing was forgotten.')
  })

  test('reports that there is nothing to bring back', async () => {
    const { code, err } = await run(['undo'], {})
    expect([code, err]).toEqual([
      1,
      'There is nothing to bring back: a forgotten entry is gone after ten minutes.',
    ])
  })

  test.each([[['forget', '2', '--yes']], [['forget', 'f9', '--yes']], [['correct', '0', 'x']]])(
    '%j changes nothing',
    async (args) => {
      const { code, changed, err } = await run(args)
      expect([code, changed]).toEqual([1, []])
      expect(err).toContain('Nothing of that kind is remembered.')
    },
  )
})
