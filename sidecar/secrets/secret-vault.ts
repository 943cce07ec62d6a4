/**
 * Assembles the secrets of a home: store, issuer, redactor, audit and the notice to the owner (E-06, E-07, E-11, E-18). Must not
 * make decisions. Called by wiring.ts.
 */
import { type ChannelDeclaration, toolOf } from '../../integrations/channels/runtime/declaration.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { exchangeRefreshToken, revokeToken } from '../../integrations/tools/oauth-token.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import type { Config } from '../config/config.ts'
import { ownServiceOrigins } from '../config/own-services.ts'
import { auditedSecret } from '../config/webservices.ts'
import { type HomeTools, homeManifests } from '../home/home-tools.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { endingWords } from '../oauth/ending.ts'
import { createAccessTokens } from './access-tokens.ts'
import { isSecretOff, issuedToServers } from './bound-credentials.ts'
import { createCredentialIssuer, createTrialIssuer, type IssuerInput } from './credential-issuer.ts'
import {
  type CredentialService,
  type CredentialServiceInput,
  createCredentialService,
} from './credential-service.ts'
import { createOfferService, type OfferService, type OfferServiceInput } from './offer-service.ts'
import { createRedactor } from './redactor.ts'
import {
  createRenewer,
  type EndingInput,
  type RotationInput,
  rotateSecrets,
  tellEnding,
} from './rotation-job.ts'
import { parseGrant, secretParts } from './secret.ts'
import type { SecretFile } from './secret-file.ts'
import { createSecretService, type SecretService, type SecretServiceInput } from './secret-service.ts'
import { createSecretStore, type SecretStore } from './secret-store.ts'
import { createServiceCheck, type ServiceCheckInput } from './service-check.ts'
import { createModelKeys, createTokenCustodian, type IssueInput } from './service-tokens.ts'
import {
  emulatorCredential,
  GOOGLE,
  revocation,
  tokenUrl,
  vaultName,
  vaultNameOf,
  vaultNames,
} from './vault-names.ts'

export type SecretVault = ReturnType<typeof createSecretVault>

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
  /** Called when a secret was added, deleted, changed or stopped working: the assistant's abilities may have changed. */
  readonly changed: () => void
}

/**
 * The names of hosts that have a key are shown on the owner's private lines only. Audit rows are read elsewhere too, so these
 * names are replaced there.
 */
function nameless(store: Store, key: Uint8Array): Store {
  return {
    ...store,
    appendAudit: ({ facts, ...event }) =>
      store.appendAudit({
        ...event,
        facts: Object.fromEntries(
          Object.entries(facts).map(([name, fact]) => [
            name,
            typeof fact === 'string' ? auditedSecret(key, fact) : fact,
          ]),
        ),
      }),
  }
}

export function createSecretVault(input: SecretVaultInput) {
  const { config, file, ring, now, rejected, transport, changed } = input
  const store = nameless(input.store, ring.ownKey('capability'))
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
  const exchange: CredentialServiceInput['exchange'] = async (name, grant) => {
    const url = tokenUrl(config, name)
    if (url === null) return err('credential_mismatch', { credential: name, rule: 'kind' })
    return exchangeRefreshToken({ ...grant, url, exemptOrigins, transport: transport() })
  }
  const tokens = createAccessTokens({ secrets, now, learn: redactor.learn, exchange })
  const audit: IssueInput['audit'] = (event) => store.appendAudit({ ...event, at: now(), place: 'home' })
  const issuing = { secrets, redactor, rejected, audit }
  const issuer: IssuerInput = {
    ...{ ...issuing, tokens, now },
    nameOf: (credential, account) => vaultNameOf(config, credential, account),
    emulatorCredential: (credential, account) => emulatorCredential(config, credential, account),
  }
  const audited: Store = {
    ...store,
    appendAudit(event) {
      store.appendAudit({ ...event, facts: redactor.data('audit', event.facts) })
      if (event.kind === 'secret_changed') changed()
    },
  }
  const auditChange: IssueInput['audit'] = (event) =>
    audited.appendAudit({ ...event, at: now(), place: 'home' })
  return {
    secrets,
    credentials: createCredentialIssuer(issuer),
    /** Issuer for the harmless call that tests a stored credential. */
    trials: issuedToServers(createTrialIssuer(issuer), config),
    redactor,
    /** Store whose audit rows pass the redactor before they are written. */
    audited,
    /** Audits a change of a secret through that store. */
    audit: auditChange,
    /** Exchanges an OAuth grant for an access token, at its service. */
    exchange,
    /** Home's key for confirmation words (F-17). */
    confirmKey: ring.ownKey('confirm'),
    /** Issues the key of a model for one call. */
    modelKeys: createModelKeys(issuing),
    /** Issues the password of a mailbox for one login, to its server alone. */
    mailLogin: (secret: string) => createTokenCustodian(issuing, { secret, tool: 'email' }),
    /** Issues a channel's credential for one request at a time. */
    channelToken: (channel: ChannelDeclaration, secret: string) =>
      createTokenCustodian(issuing, { secret, tool: toolOf(channel) }),
  }
}

export interface AtHome {
  readonly config: Config
  readonly tools: Pick<HomeTools, 'tools' | 'transport' | 'services'>
}

export function secretServiceOf(
  { secrets, redactor, audit, confirmKey }: SecretVault,
  { config, tools, custody }: AtHome & Pick<SecretServiceInput, 'custody'>,
): SecretService {
  return createSecretService({
    ...{ secrets, custody, confirmKey, audit, learn: redactor.learn, now: Date.now },
    get manifests() {
      return homeManifests(config, tools.tools)
    },
    namesOf: (manifest) => vaultNames(config, manifest),
    revoke: (name) => revokeAt({ secrets, redactor }, name, { config, tools }),
  })
}

/** Null for a secret that is no permission at a service. */
async function revokeAt(
  { secrets, redactor }: Pick<SecretVault, 'secrets' | 'redactor'>,
  name: string,
  { config, tools: { transport } }: AtHome,
): Promise<Result<true> | null> {
  const at = revocation(config, name)
  const unsealed = at === null ? null : await secrets.unseal(name)
  if (at === null || unsealed === null) return null
  // A grant that cannot be read cannot be revoked; its deletion goes on.
  if (!unsealed.ok) return unsealed
  const value = new TextDecoder().decode(unsealed.value.bytes)
  unsealed.value.bytes.fill(0)
  for (const part of secretParts(value)) redactor.learn(name, part)
  const grant = parseGrant(value)
  if (grant === null) return null
  const { url, forClient } = at
  const { exemptOrigins } = config
  return revokeToken({
    url,
    token: grant.refreshToken,
    client: forClient ? grant : null,
    transport,
    exemptOrigins,
  })
}

/** Tests and stores the credentials that the owner gives for a service. */
export function credentialServiceOf(
  { secrets, redactor, exchange }: SecretVault,
  {
    config,
    secretService,
    tools,
    custody,
    transport,
  }: AtHome & Pick<CredentialServiceInput, 'secretService' | 'custody' | 'transport'>,
): CredentialService {
  return createCredentialService({
    ...{ secretService, custody, transport, secrets, exchange, exemptOrigins: config.exemptOrigins },
    get ownOrigins() {
      return ownServiceOrigins(tools.services.now().services)
    },
    tools: () => tools.tools,
    ...{ nameOf: (service) => vaultName(config, service), learn: redactor.learn },
  })
}

/** Tests the stored credential of a service. */
export function serviceCheckOf(
  { trials }: SecretVault,
  {
    config,
    tools,
    titleOf,
  }: Pick<AtHome, 'config'> &
    Pick<ServiceCheckInput, 'titleOf'> & {
      readonly tools: Pick<HomeTools, 'tools' | 'transport' | 'answered' | 'services'>
    },
): ReturnType<typeof createServiceCheck> {
  return createServiceCheck({
    ...{
      titleOf,
      issue: trials,
      answered: tools.answered,
      tools: () => tools.tools,
      transport: () => tools.transport,
    },
    exemptOrigins: config.exemptOrigins,
    get ownOrigins() {
      return ownServiceOrigins(tools.services.now().services)
    },
    accountsOf: (service) => [
      null,
      ...(service === GOOGLE ? config.google.accounts.map(({ name }) => name) : []),
    ],
  })
}

export function offersOf(
  { secrets, redactor, audit }: SecretVault,
  input: Pick<OfferServiceInput, 'file' | 'sealing' | 'secretService' | 'tell' | 'look'>,
): OfferService {
  return createOfferService({ ...input, secrets, audit, learn: redactor.learn, now: Date.now })
}

/** The monthly rotation of home's secrets. */
export function rotationOf(
  { secrets, redactor }: SecretVault,
  {
    config,
    tools,
    off,
    tell,
  }: AtHome & Pick<RotationInput, 'tell'> & { readonly off: () => readonly string[] },
): () => ReturnType<typeof rotateSecrets> {
  const { exemptOrigins } = config
  const nameOf = (credential: string): string => vaultName(config, credential)
  const renew = createRenewer({ ...tools, secrets, redactor, exemptOrigins, nameOf })
  const isOff = (name: string): boolean => isSecretOff(config, off(), name)
  return () => rotateSecrets({ secrets, isOff, renew, tell, now: Date.now })
}

/** Notifies the owner of permissions that end soon, in words for the owner. */
export function endingOf(
  { secrets }: SecretVault,
  {
    config,
    off,
    tell,
  }: Pick<AtHome, 'config'> & Pick<EndingInput, 'tell'> & { readonly off: () => readonly string[] },
): () => Promise<void> {
  const { timezone } = config.owner
  const isOff = (name: string): boolean => isSecretOff(config, off(), name)
  const wordsOf = (name: string, endsAt: number): string =>
    endingWords(name, { endsAt, now: Date.now(), timezone })
  return () => tellEnding({ secrets, isOff, tell, now: Date.now, wordsOf })
}
