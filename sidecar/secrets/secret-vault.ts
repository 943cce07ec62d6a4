/**
 * Assembles the secrets of a home: store, issuer, redactor, audit and the notice to the owner (E-06, E-07, E-11, E-18).
 * Must not decide anything. Called by wiring.ts.
 */
import { type ChannelDeclaration, toolOf } from '../../integrations/channels/runtime/declaration.ts'
import type { TokenCustodian } from '../../integrations/channels/runtime/home-package.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import { exchangeRefreshToken } from '../../integrations/tools/oauth-token.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import type { Config } from '../config/config.ts'
import {
  channelManifests,
  type HomeTools,
  modelManifests,
  standIn,
  tokenUrl,
  vaultName,
  vaultNameOf,
  vaultNames,
} from '../home-tools.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createTokenCustodian } from './channel-token.ts'
import { type CredentialDesk, type CredentialDeskInput, createCredentialDesk } from './credential-desk.ts'
import { createCredentialIssuer } from './credential-issuer.ts'
import { createModelKeys, type ModelKeys } from './model-keys.ts'
import { createOfferDesk, type OfferDesk, type OfferDeskInput } from './offer-desk.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import { createRenewer } from './renew.ts'
import { type RotationInput, startRotationJob } from './rotation-job.ts'
import { createSecretDesk, type DeskInput, type SecretDesk } from './secret-desk.ts'
import type { SecretFile } from './secret-file.ts'
import { createSecretStore, type SecretStore } from './secret-store.ts'

export interface SecretVault {
  readonly secrets: SecretStore
  readonly credentials: CredentialSource
  readonly redactor: Redactor
  /** Store whose audit rows pass the redactor before they are written. */
  readonly audited: Store
  /** Exchanges an OAuth grant for an access token, at its service. */
  readonly exchange: CredentialDeskInput['exchange']
  /** Home's key for confirmation words (F-17). */
  readonly confirmKey: Uint8Array
  /** Issues the key of a model for one call. */
  readonly modelKeys: ModelKeys
  /** Issues a channel's credential for one request at a time. */
  readonly channelToken: (channel: ChannelDeclaration, service: string) => TokenCustodian
}

export interface SecretVaultInput {
  readonly config: Config
  readonly file: SecretFile
  readonly ring: KeyRing
  readonly store: Store
  readonly now: () => number
  /** Transport for exchanges; called when one is needed. */
  readonly transport: () => Transport
  /** Called when a service rejected a version for the first time. */
  readonly rejected: (name: string, version: number) => void
  /**
   * Called when a secret was added, deleted, changed or stopped working, because the assistant's abilities may have
   * changed.
   */
  readonly changed: () => void
}

export function createSecretVault(input: SecretVaultInput): SecretVault {
  const { config, file, ring, store, now, rejected, transport, changed } = input
  const stored = createSecretStore({ file, ring, random: randomOfNode, now })
  const secrets: SecretStore = {
    ...stored,
    accepted(name, version) {
      const wasRejected = stored.find(name)?.state === 'rejected'
      stored.accepted(name, version)
      if (wasRejected) changed()
    },
    rejected(name, version) {
      const isNews = stored.rejected(name, version)
      if (isNews) changed()
      return isNews
    },
  }
  const nobody = { place: 'home', trace: null, task: null, principal: null } as const
  const redactor = createRedactor((credential, at) =>
    store.appendAudit({ ...nobody, at: now(), kind: 'redaction', facts: { credential, sink: at } }),
  )
  const { exemptOrigins } = config
  const exchange: SecretVault['exchange'] = async (name, grant) => {
    const url = tokenUrl(config, name)
    if (url === null) return err('credential_mismatch', { credential: name, rule: 'kind' })
    return exchangeRefreshToken({ ...grant, url, exemptOrigins, transport: transport() })
  }
  const tokens = createAccessTokens({ ...{ secrets, now, learn: redactor.learn }, exchange })
  const credentials = createCredentialIssuer({
    ...{ secrets, redactor, tokens, rejected, now },
    nameOf: (credential, account) => vaultNameOf(config, credential, account),
    stand: (credential, account) => standIn(config, credential, account),
    audit: (event) => store.appendAudit({ ...event, at: now(), place: 'home' }),
  })
  const audited: Store = {
    ...store,
    appendAudit(event) {
      store.appendAudit({ ...event, facts: redactor.data('audit', event.facts) })
      if (event.kind === 'secret_changed') changed()
    },
  }
  const audit = (event: Omit<AuditEvent, 'at' | 'place'>): void =>
    store.appendAudit({ ...event, at: now(), place: 'home' })
  const modelKeys = createModelKeys({ secrets, redactor, rejected, audit })
  const channelToken: SecretVault['channelToken'] = (channel, secret) =>
    createTokenCustodian({ secrets, redactor, rejected, audit }, { secret, tool: toolOf(channel) })
  const confirmKey = ring.ownKey('confirm')
  return { secrets, credentials, redactor, audited, exchange, confirmKey, modelKeys, channelToken }
}

export interface AtHome {
  readonly config: Config
  readonly tools: Pick<HomeTools, 'tools' | 'transport'>
}

/** The secret service of a running home. */
export function deskOf(
  { secrets, redactor, audited, confirmKey }: SecretVault,
  { config, tools, custody }: AtHome & Pick<DeskInput, 'custody'>,
): SecretDesk {
  return createSecretDesk({
    ...{ secrets, custody, confirmKey, learn: redactor.learn, now: Date.now },
    manifests: [
      ...tools.tools.map(({ manifest }) => manifest),
      ...modelManifests(config),
      ...channelManifests(config),
    ],
    namesOf: (manifest) => vaultNames(config, manifest),
    audit: (event) => audited.appendAudit({ ...event, at: Date.now(), place: 'home' }),
  })
}

/** Tests and stores the credentials that the owner gives for a service. */
export function credentialDeskOf(
  { secrets, redactor, exchange }: SecretVault,
  {
    config,
    desk,
    tools: { tools },
    custody,
    transport,
  }: AtHome & Pick<CredentialDeskInput, 'desk' | 'custody' | 'transport'>,
): CredentialDesk {
  return createCredentialDesk({
    ...{ tools, desk, custody, transport, secrets, exchange, exemptOrigins: config.exemptOrigins },
    ...{ nameOf: (service) => vaultName(config, service), learn: redactor.learn },
  })
}

/** Pending offers from the edge, in a running home. */
export function offersOf(
  { secrets, redactor, audited }: SecretVault,
  input: Pick<OfferDeskInput, 'file' | 'sealing' | 'desk' | 'tell' | 'look'>,
): OfferDesk {
  return createOfferDesk({
    ...{ ...input, secrets, learn: redactor.learn, now: Date.now },
    audit: (event) => audited.appendAudit({ ...event, at: Date.now(), place: 'home' }),
  })
}

/** Monthly rotation of a running home. */
export function startRotation(
  { secrets, redactor }: SecretVault,
  {
    config,
    tools,
    ...job
  }: AtHome & Pick<RotationInput, 'tell' | 'fault'> & Required<Pick<RotationInput, 'expire'>>,
): ReturnType<typeof startRotationJob> {
  const { exemptOrigins } = config
  const nameOf = (credential: string): string => vaultName(config, credential)
  const renew = createRenewer({ ...tools, secrets, redactor, exemptOrigins, nameOf })
  return startRotationJob({ ...job, secrets, renew, now: Date.now })
}
