/** `pfar memory`: what is shown, and that nothing is changed but what was named (E-20). */
import { describe, expect, test } from 'vitest'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'
import type { Script } from './scripted-link.ts'

const FACT: Keepsake = {
  id: 'f1',
  kind: 'fact',
  tool: null,
  text: 'tea at \u001b[2Jfour',
  label: 'sensitive',
  told: false,
  at: 0,
}
const COPY: Keepsake = { ...FACT, id: 'open/f2', text: 'the locker is 12', label: 'internal', told: true }
const RESULT: Keepsake = { ...FACT, id: 'r1', kind: 'result', tool: 'email.list', text: '{}' }

async function run(args: readonly string[], script: Script = { memory: [FACT, COPY, RESULT] }) {
  const { context, out, err, link } = bench(script)
  const code = await runProgram(context, ['memory', ...args])
  return { code, out: out.join('\n'), err: err.join('\n'), changed: link.changed }
}

describe('pfar memory', () => {
  test('lists with numbers, and lets no control character through', async () => {
    const { out } = await run([])
    expect(out).toMatch(/^1\. tea at four\n {3}you said · sensitive · .+ ago\n2\. the locker is 12\n/)
    expect(out).toContain('you said · internal · from the open line')
    expect(out).toContain('3. {}\n   email.list · sensitive')
  })

  test('says when there is nothing', async () =>
    expect((await run([], {})).out).toBe('Nothing is remembered. Say "remember that …" to change that.'))

  test.each<[string, readonly string[], unknown, string]>([
    ['by number', ['forget', '1'], ['f1'], 'Forgotten.'],
    ['by id', ['forget', 'r1'], ['r1'], 'Forgotten.'],
    [
      'a copy, and says so',
      ['forget', '2'],
      ['open/f2'],
      'Forgotten.\nThe open line still has its own: pfar memory --line open',
    ],
    ['a correction', ['correct', '1', 'tea', 'at', 'five'], [['f1', 'tea at five']], 'Corrected.'],
  ])('changes %s', async (_, args, changed, said) => {
    const ran = await run(args)
    expect([ran.code, ran.changed, ran.out]).toEqual([0, changed, said])
  })

  test.each([[['forget', '4']], [['forget', 'f9']], [['correct', '0', 'x']]])(
    '%j changes nothing',
    async (args) => {
      const { code, changed, err } = await run(args)
      expect([code, changed]).toEqual([1, []])
      expect(err).toContain('Nothing of that kind is remembered.')
    },
  )
})
