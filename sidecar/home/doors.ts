/**
 * Phase D of home's start: opens the private line, which is required, then the link to the edge, which may come up
 * later (M-26). Must not decide what is accepted. Called by runtime.ts after phase C.
 */

import { totalmem } from 'node:os'
import * as z from 'zod/mini'
import { figuresOf, figureWords } from '../../kernel/features/usage/figures.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent, AuditKind } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { allNeeds } from '../../kernel/tool/channel.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createRestoreMethods } from '../backup/edge-transfer.ts'
import { createChannelMethods, createReloadService } from '../channels/channel-service.ts'
import { loadOwnConfig } from '../config/config.ts'
import { createDoctorMethods } from '../doctor/model-look.ts'
import { createHealthMethods } from '../health/health-methods.ts'
import type { HomeJobs } from '../jobs/home-jobs.ts'
import { createHomeMethods } from '../line/home-methods.ts'
import { createOperationMethods } from '../line/home-operations.ts'
import { listen, type SocketServer } from '../line/listen.ts'
import { type Methods, method } from '../line/method.ts'
import { createQuestionMethods } from '../persona/first-questions.ts'
import { createConnectMethods, createSecretMethods } from '../secrets/secret-methods.ts'
import { vaultName, vaultNameOf } from '../secrets/vault-names.ts'
import { isService } from '../service/service.ts'
import { homeStatus, STARTED_BY_SERVICE } from '../status/home-status.ts'
import { placeStatus } from '../status/place-lines.ts'
import type { Boot } from './boot.ts'
import type { Wired } from './wiring.ts'

export interface DoorsInput {
  readonly jobs: HomeJobs
  /** Facts of the start that `status` reports as well. */
  readonly started: Readonly<Record<string, unknown>>
  /** Called when the owner stops home over the socket. */
  readonly onShutdown: () => void
}

export interface Doors {
  readonly socket: string
  close(): Promise<void>
}

/** Refusal: storage_failed if the socket cannot be created. */
export async function openDoors(boot: Boot, home: Wired, input: DoorsInput): Promise<Result<Doors>> {
  const { config, link } = home
  const path = home.folder.file('home.sock')
  const server = await boot.need('D', 'private line', () => openSocket(home, path, input))
  if (!server.ok) return server
  const { edge } = config
  const connect = async (): Promise<Result<true>> => {
    // Loaded only if an edge is configured: without one, home needs no WebSocket library.
    const { connectEdge } = await import('../tunnel/edge-connection.ts')
    const drive = (): void => home.engine.drive()
    if (edge !== null) link.edge = await connectEdge({ ...home, drive }, home.powers, edge)
    return ok(true)
  }
  if (edge !== null) await boot.parts('D', [{ name: 'link to the edge', run: connect }])
  return ok({ socket: path, close: () => server.value.close() })
}

function openSocket(home: Wired, path: string, input: DoorsInput): Promise<Result<SocketServer>> {
  const { redactor } = home.vault
  return listen({
    path,
    operations: createOperationMethods(home.operations, home.powers.newId),
    methods: methodsOf(home, input),
    follow: home.feed.follow,
    words: ({ code }) => wordsFor(code),
    redact: (line) => redactor.text('terminal', line),
    fault: (method) => home.onFault(`method ${method}`),
    denied: auditDenied(home.powers),
  })
}

/**
 * Milliseconds between two audit rows about refused clients; each row counts the refusals since the last one, so that a
 * refused client cannot fill the audit.
 */
const DENIED_EVERY = 3_600_000

/** Writes an audit row that belongs to no task. */
function note({ now, store, place }: Wired['powers'], kind: AuditKind, facts: AuditEvent['facts']): void {
  store.appendAudit({ at: now(), place, kind, trace: null, task: null, principal: null, facts })
}

function auditDenied(powers: Wired['powers']): (code: ReasonCode) => void {
  const { now } = powers

  let [last, count] = [Number.NEGATIVE_INFINITY, 0]
  return (code) => {
    count += 1
    const at = now()
    if (at - last < DENIED_EVERY) return
    note(powers, 'denial', { code, line: 'private', count })
    ;[last, count] = [at, 0]
  }
}

function methodsOf(home: Wired, { jobs, started, onShutdown }: DoorsInput): Methods {
  const { powers, config, keys, vault, link, shell, engine, modelStatus, folder, sealing } = home
  const status = async (): Promise<Readonly<Record<string, unknown>>> => ({
    ...homeStatus({
      ...{
        powers,
        custody: keys.custody,
        sealKey: sealing.publicKey,
        edge: config.edge,
        tunnel: link.edge?.status() ?? null,
      },
      ...{ secrets: vault.secrets.list(), nameOf: (credential) => vaultName(config, credential) },
    }),
    ...figureWords(await figuresOf(powers)),
    ...(await jobs.status()),
    // Checked inside this process: other processes may have different restrictions.
    sandbox: await home.sandbox(),
    ...(isService({ pid: process.pid, env: home.env }) ? { startedBy: STARTED_BY_SERVICE } : {}),
    ...Object.assign({}, ...home.chats.map((chat) => chat.status())),
    ...modelStatus(),
    ...placeStatus(home.placeFacts()),
    ...(home.templates.notices().length === 0 ? {} : { templates: home.templates.notices() }),
    ...started,
  })
  const own = createHomeMethods({
    ...{ shell, now: powers.now, drive: engine.drive, status },
    stop: onShutdown,
  })
  const restores = createRestoreMethods({ folder, edge: config.edge, device: home.key, sealing })
  return {
    ...own,
    ...createQuestionMethods(home),
    ...createDoctorMethods({
      powers,
      transport: () => home.tools.transport,
      memory: totalmem(),
      config: config.models,
      speech: config.speech,
      vision: config.vision,
      accounts: async () => {
        // Loaded only for this look.
        const { lookAtAccounts } = await import('../doctor/account-look.ts')
        return lookAtAccounts({
          ...{ config, transport: () => home.tools.transport, works: home.works },
          manifests: () => home.tools.tools.map(({ manifest }) => manifest),
          nameOf: (credential, account) => vaultNameOf(config, credential, account),
          has: (name) => vault.secrets.find(name) !== null,
        })
      },
    }),
    ...createSecretMethods(home.secretService, home.offers, home.connect.look),
    ...createHealthMethods(home.health),
    ...createConnectMethods(home.connect, home.channels.owns, () => allNeeds(powers)),
    ...createChannelMethods(
      createReloadService({ ...home, channels: home.chats, changed: () => home.renewed('channel') }),
    ),
    folders_reload: method(z.strictObject({}), async () => {
      const read = loadOwnConfig(home.env, folder.path)
      if (!read.ok) return read
      home.tools.folders.renew(read.value.folders)
      home.renewed()
      return ok({ folders: read.value.folders.length })
    }),
    services_reload: method(z.strictObject({}), async () => {
      const read = loadOwnConfig(home.env, folder.path)
      if (!read.ok) return read
      for (const service of home.tools.services.renew(read.value))
        note(powers, 'secret_changed', { credential: service, change: 'address' })
      home.renewed()
      return ok({ services: Object.keys(read.value.services) })
    }),
    webservices_reload: method(z.strictObject({}), async () => home.webservices.reload()),
    ...restores,
  }
}
