/** `pfar doctor` on a scripted line: home's report of its sandbox takes precedence over what this command finds. */
import { describe, expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { doctorCommand } from '../../sidecar/cli/commands/doctor-command.ts'
import { probeSandbox } from '../../sidecar/confined/sandbox.ts'
import type { Finding } from '../../sidecar/doctor/finding.ts'
import { sandboxFinding } from '../../sidecar/doctor/surroundings-look.ts'
import { newFolder } from '../kit/folder.ts'
import { bench } from './command-bench.ts'

const folder = newFolder('doctor')

const LOOK = {
  configured: [],
  local: { url: 'http://127.0.0.1:1', models: null, tried: null, used: false, keepAlive: null },
  trouble: null,
}

/** The sandbox finding if home's status has these facts; null: home does not answer. */
async function sandboxOf(status: Readonly<Record<string, unknown>> | null): Promise<Finding | undefined> {
  const { context, out } = bench({ look: LOOK, status: { edge: null, ...status } })
  const attach: typeof context.attach = async (input) =>
    input.line === 'open' || status === null ? err('home_offline') : context.attach(input)
  await doctorCommand({ ...context, environment: { PFAR_HOME: folder }, attach }, { json: true, fix: false })
  const found = JSON.parse(out.join('\n')) as readonly Finding[]
  return found.find(({ part }) => part === 'sandbox')
}

describe('the sandbox of a home', () => {
  it.each([
    ['may make none under its unit', { sandbox: 'forbidden', startedBy: 'systemd' }, 'forbidden', true],
    ['may make none and was started by hand', { sandbox: 'forbidden' }, 'forbidden', false],
    ['finds no program', { sandbox: 'missing' }, 'missing', false],
    ['has one', { sandbox: 'ready' }, 'ready', false],
  ] as const)('that %s is reported as home says', async (_what, status, state, service) => {
    expect(await sandboxOf(status)).toEqual(sandboxFinding({ state, without: false, service }))
  })

  it.each([
    ['does not say, being of an earlier version', {}],
    ['says what nobody knows', { sandbox: 'purple' }],
    ['does not answer', null],
  ])('that %s is reported as the command itself finds it', async (_what, status) => {
    const finding = sandboxFinding({ state: await probeSandbox(), without: false, service: false })
    expect(await sandboxOf(status)).toEqual(finding)
  })
})
