/** By which door a web service may be named: one of the owner's own network from the terminal alone (DESIGN §9). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { NO_HTTP } from '../../integrations/tools/http/setting.ts'
import type { Naming } from '../../kernel/features/webservices/port.ts'
import { createWebservices } from '../../kernel/features/webservices/webservices.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { DOORS, type Door } from '../../kernel/operations/caller.ts'
import { createWebserviceKeeper } from '../../sidecar/config/webservices.ts'

const folder = mkdtempSync(join(tmpdir(), 'pfar-door-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'config.toml')
writeFileSync(path, '')

const keeper = createWebserviceKeeper({
  ...{ notes: { read: () => null, write: () => undefined }, key: new Uint8Array(32), path },
  sealer: { seal: async (_, bytes) => bytes, open: async (_, bytes) => ok(bytes) },
  ...{ now: () => NO_HTTP, configNow: () => ok({ http: NO_HTTP }), renew: () => undefined },
  ...{ changed: () => undefined, fault: () => expect.unreachable() },
})
const service = createWebservices({ webservices: keeper, newId: () => 'id' } as unknown as Parameters<
  typeof createWebservices
>[0])

/** Nobody's: what may be named is refused for that, by the next step. */
const by = (door: Door): Naming => ({ principal: 'principal:nobody', place: 'home', message: 'm', door })
const PASSED = 'approval_wrong_principal'

const OWN = ['http://127.0.0.1:8123', 'https://127.0.0.1', 'http://localhost:1', 'http://192.168.1.20']
const MORE = ['http://10.0.0.1', 'http://[fd00::1]', 'http://[::1]:9', 'http://2130706433']

it.each([...OWN, ...MORE])('%s is named and saved from the terminal alone', async (origin) => {
  for (const door of DOORS) {
    const named = await service.allow(by(door), { host: origin, label: null, key: null })
    const typed = { name: 'x', address: `${origin}/a`, label: null, fields: null }
    const saved = await service.save(by(door), typed)
    const codes = [named, saved].map((one) => (one.ok ? 'ok' : one.reason.code))
    const code = door === 'terminal' ? PASSED : 'address_private'
    expect(codes).toEqual([code, code])
  }
})

it('a name or a link-local address is named by nobody, and a public host from a chat as well', async () => {
  for (const door of DOORS) {
    for (const host of ['https://nas.local', 'http://nas.local', 'http://169.254.1.1', 'https://box.lan']) {
      const local = await service.allow(by(door), { host, label: null, key: null })
      expect(local).toMatchObject({ reason: { code: 'tool_arguments_invalid', facts: { path: 'host' } } })
    }
    const open = await service.allow(by(door), { host: 'api.example.com', label: null, key: null })
    expect(open).toMatchObject({ reason: { code: PASSED } })
  }
})

it('what was forgotten is put back to the own network from the terminal alone', async () => {
  const read = keeper.readHost({ host: 'http://192.168.1.20', label: null, key: null })
  const one = read.ok ? read.value : expect.unreachable()
  const former = { ...keeper, former: async () => one }
  const again = createWebservices({ webservices: former, newId: () => 'id' } as unknown as Parameters<
    typeof createWebservices
  >[0])
  expect(await again.restore(by('private'), one.id)).toMatchObject({ reason: { code: 'address_private' } })
  expect(await again.restore(by('terminal'), one.id)).toMatchObject({ reason: { code: PASSED } })
})
