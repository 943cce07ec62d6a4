/**
 * Regression 2 (S001 §17, R-13, invariant B): a tool cannot reach the vault, the configuration or other tools: by type
 * (the compiler runs over a tool that tries), by import (the house's rule), and by what it is really handed.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { createToolPort } from '../../integrations/tools/port.ts'
import { ok, permit } from '../../kernel/flow/verdict.ts'
import type { Tool, ToolCall } from '../../kernel/tool/manifest.ts'
import { checkTree } from '../../scripts/source-check.ts'
import { NO_BREAKER, tokenFor } from '../tools/calls.ts'

const FOLDER = fileURLToPath(new URL('./02-tool', import.meta.url))
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

describe('by type', () => {
  const compile = (folder: string): string =>
    spawnSync(process.execPath, [COMPILER, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' }).stdout
  // Beside the original, so that its imports lead to the same places.
  const copy = mkdtempSync(`${FOLDER}-`)
  afterAll(() => rmSync(copy, { recursive: true, force: true }))
  const source = readFileSync(join(FOLDER, 'tool.mts'), 'utf8')
  const attempts = [...source.matchAll(/@ts-expect-error (.+)/g)].map(([, what]) => what)

  test('the compiler refuses every attempt', () => {
    expect(attempts.length).toBeGreaterThan(15)
    expect(compile(FOLDER)).toBe('')
  })

  test('without the directives each attempt is an error of its own, so none of them is idle', () => {
    cpSync(FOLDER, copy, { recursive: true })
    writeFileSync(join(copy, 'tool.mts'), source.replaceAll('@ts-expect-error', 'attempt:'))
    const lines = new Set([...compile(copy).matchAll(/tool\.mts\((\d+),/g)].map(([, line]) => line))
    expect(lines.size).toBe(attempts.length)
  })
})

describe('by import', () => {
  const ATTEMPTS: readonly string[] = [
    "import { readFileSync } from 'node:fs'",
    "import { loadConfig } from '../../../sidecar/config.ts'",
    "import { openHomeKeys } from '../../../sidecar/keys/home-keys.ts'",
    "import { settingsOf } from '../../../durable-objects/platform/env.ts'",
    "import { env } from 'cloudflare:workers'",
    "const vault = await import('../../../sidecar/keys/key-store.ts')",
    "import { request } from 'undici'",
  ]
  test.each(ATTEMPTS)('%s fails the check that every build runs', (attempt) => {
    const sources = new Map([['integrations/tools/probe/tool.ts', `/** A probe. */\n${attempt}\n`]])
    expect(checkTree(sources).map(({ rule }) => rule)).toContain('import')
  })

  const UNWRAPPING: readonly string[] = ['openForTool', 'openForPrompt', 'openForSink', 'insideOf']
  test.each(UNWRAPPING)('%s may not be named by a tool', (name) => {
    const text = `/** A probe. */\nimport { ${name} } from '../../../kernel/flow/labeled.ts'\n${name}()\n`
    const found = checkTree(new Map([['integrations/tools/probe/tool.ts', text]]))
    expect(found.map(({ rule }) => rule)).toContain('site')
  })
})

describe('by what it is handed', () => {
  async function handed(): Promise<ToolCall> {
    let seen: ToolCall | undefined
    const execute: Tool['execute'] = async (call) => {
      seen = call
      return { ok: true, output: {} }
    }
    const manifest: Tool['manifest'] = {
      ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], network: ['one.example'] },
      credential: 'probe',
      actions: [
        {
          ...{ id: 'probe.run', description: 'x', semantics: 'read', ceiling: 'public', compartment: null },
          ...{ reaches: 'public', sink: null },
          args: { kind: 'record', fields: {} },
          output: { kind: 'record', fields: {} },
        },
      ],
    }
    const port = createToolPort({
      ...{ place: 'home', tools: [{ manifest, execute }], exemptOrigins: [] },
      transport: { send: async () => ({ ok: true, value: { status: 200, headers: {}, body: none() } }) },
      checkToken: () => permit('test'),
      redact: (value) => value,
      breaker: NO_BREAKER,
      credentials: {
        has: () => true,
        issue: async ({ credential }) =>
          ok({
            credential: { scheme: 'bearer', value: `secret of ${credential}` },
            hosts: ['one.example'],
            settle: () => undefined,
          }),
      },
    })
    await port.run({ action: 'probe.run', args: {}, capability: tokenFor('probe.run') })
    if (seen === undefined) throw new Error('the tool did not run')
    return seen
  }

  test('five things, frozen', async () => {
    const call = await handed()
    expect(Object.keys(call).sort()).toEqual(['action', 'args', 'capability', 'credential', 'http'])
    expect(Object.isFrozen(call)).toBe(true)
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype)
  })

  test('a client with one method, for its own hosts, and only while its call lasts', async () => {
    const { http } = await handed()
    expect(Object.keys(http)).toEqual(['request'])
    expect(await http.request({ method: 'GET', url: 'https://other.example/' })).toMatchObject({ ok: false })
    expect(await http.request({ method: 'GET', url: 'https://one.example/' })).toMatchObject({ ok: false })
  })

  test('the credential of its own manifest and no other', async () => {
    expect((await handed()).credential).toEqual({ scheme: 'bearer', value: 'secret of probe' })
  })
})

async function* none(): AsyncGenerator<Uint8Array> {
  // An empty body.
}
