/**
 * A real server of the AT Protocol with one account, for as long as this process lives: the packages of its authors, from the folder that `PFAR_PDS` names. They
 * are no dependency of this tree, as they bring six hundred packages and a native part. Tells its parent where it listens. Called by main.ts.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'

type Module = Readonly<Record<string, unknown>>

/** As far as they are used here (https://github.com/bluesky-social/atproto, https://github.com/did-method-plc/did-method-plc). */
interface Pds {
  readonly PDS: { create(config: unknown, secrets: unknown): Promise<{ start(): Promise<unknown> }> }
  readonly envToCfg: (values: object) => unknown
  readonly envToSecrets: (values: object) => unknown
}
interface Plc {
  readonly PlcServer: {
    create(options: object): { start(): Promise<{ address(): { readonly port: number } }> }
  }
  readonly Database: { mock(): unknown }
}

const from = createRequire(join(env['PFAR_PDS'] ?? '', 'x.js'))
const load = async (name: string): Promise<Module> =>
  (await import(pathToFileURL(from.resolve(name)).href)) as Module

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => done(port))
    })
  })
}

const { PlcServer, Database } = (await load('@did-plc/server')) as unknown as Plc
const { PDS, envToCfg, envToSecrets } = (await load('@atproto/pds')) as unknown as Pds
const plc = await PlcServer.create({ db: Database.mock(), port: 0 }).start()
const folder = mkdtempSync(join(tmpdir(), 'pfar-pds-'))
const port = await freePort()
const values = {
  ...{ devMode: true, port, hostname: 'localhost', serviceHandleDomains: ['.test'], inviteRequired: false },
  ...{ dataDirectory: folder, blobstoreDiskLocation: join(folder, 'blobs') },
  didPlcUrl: `http://localhost:${plc.address().port}`,
  ...{ jwtSecret: randomBytes(16).toString('hex'), adminPassword: randomBytes(16).toString('hex') },
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
}
await (await PDS.create(envToCfg(values), envToSecrets(values))).start()
process.send?.({ origin: `http://localhost:${port}`, folder })
