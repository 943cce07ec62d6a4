/**
 * The guards of who may speak to the edge at all and how a device comes and goes (T-02), as rows of link-guards.ts. Must not hold what
 * only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const HTTP = 'worker/http'
const ATTACKS = 'worker/link-attacks'
const TUNNEL = 'worker/tunnel'
const MEMORY = 'durable-objects/registry/devices'
const DEVICES = 'worker/devices'
const COPIES = 'worker/copies'

const SIGNATURE_TS = 'durable-objects/platform/signature.ts'
const ENROLLED_TS = 'worker/enrolled.ts'
/** Two walls: a date is named among the parameters, and its age is looked at. */
const NOW = 'now: Math.floor(now / 1_000),\n'
const DATED = `requiredParameters: PARAMETERS,\n        ${NOW}        maxAge: 0,\n`
const UNDATED = `requiredParameters: PARAMETERS.slice(1),\n        ${NOW}`
const COMPONENTS = "['@method', '@authority', '@path', '@query']"
const ADMIT = "import { admitDevice } from './enrolled.ts'"
const ONLY_CHECK = "import { checkDevice as admitDevice } from './enrolled.ts'"

/** Who may speak at all: signatures, nonces, the list of devices. */
const SIGNATURES: readonly LinkGuard[] = [
  ['signature: of the method', SIGNATURE_TS, COMPONENTS, "['@authority', '@path', '@query']", HTTP],
  ['signature: of the host', SIGNATURE_TS, COMPONENTS, "['@method', '@path', '@query']", HTTP],
  ['signature: of the path', SIGNATURE_TS, COMPONENTS, "['@method', '@authority', '@query']", HTTP],
  ['signature: of the query', SIGNATURE_TS, COMPONENTS, "['@method', '@authority', '@path']", HTTP],
  ['signature: a date', SIGNATURE_TS, DATED, UNDATED, HTTP],
  ['signature: a date within the skew', SIGNATURE_TS, 'clockSkew: SIGNATURE_SKEW', 'clockSkew: 86_400', HTTP],
  ['signature: some nonce', SIGNATURE_TS, "nonce === '' || ", '', HTTP],
  ['signature: a nonce of bounded length', SIGNATURE_TS, ' || nonce.length > MAX_NONCE', '', HTTP],
  ['signature: of the digest', SIGNATURE_TS, "[...COMPONENTS, 'content-digest']", 'COMPONENTS', HTTP],
  [
    'the digest is of this body',
    SIGNATURE_TS,
    "request.headers.get('content-digest') === expected",
    'expected',
    HTTP,
  ],
  ['the body within its bound', SIGNATURE_TS, 'if (size > most)', 'if (false)', HTTP],
  ['the key is the named device’s', SIGNATURE_TS, 'candidate.id === id', 'true', HTTP],
  ['a copy of the list ends', ENROLLED_TS, 'Math.abs(now - known.at) < life', 'true', DEVICES],
  ['a clock set back ends the copy, too', ENROLLED_TS, 'Math.abs(now - known.at)', 'now - known.at', DEVICES],
  ['strangers wake the object seldom', ENROLLED_TS, 'LOOK_AGAIN = 5_000', 'LOOK_AGAIN = 0', DEVICES],
  [
    'writers are asked for as such',
    ENROLLED_TS,
    '.admitWriter(signed.value)',
    '.admit(signed.value)',
    COPIES,
  ],
  ['a refusal ends the copy', ENROLLED_TS, 'if (!admitted.ok) copies.delete(env)', '', DEVICES],
  ['the tunnel: each signature once', 'worker/app.ts', ADMIT, ONLY_CHECK, ATTACKS],
  [
    'the open line: each signature once',
    'worker/open-line.ts',
    'isMessage ? checkDevice : admitDevice',
    'checkDevice',
    HTTP,
  ],
  [
    'device routes: each signature once',
    'worker/devices.ts',
    'import { admitDevice, ',
    'import { checkDevice as admitDevice, ',
    DEVICES,
  ],
  [
    'who opens a tunnel is the signer',
    'worker/app.ts',
    'headers.set(DEVICE_HEADER, signed.value.device)',
    'headers.append(DEVICE_HEADER, signed.value.device)',
    ATTACKS,
  ],
  [
    'the nonce to be proved is the signed one',
    'worker/app.ts',
    'headers.set(NONCE_HEADER, signed.value.nonce)',
    'headers.append(NONCE_HEADER, signed.value.nonce)',
    TUNNEL,
  ],
  ['knocks are told up to a rate', 'worker/auth-failures.ts', 'if (!within) return', '', ATTACKS],
  [
    'strangers are told of up to a rate',
    'worker/channels.ts',
    'if (!within) return false',
    '',
    'worker/strangers',
  ],
  [
    'whoever was let in is heard at once',
    'durable-objects/registry/kernel.ts',
    'if (stranger.asked !== true && this.#people.principals(Date.now()).includes(stranger.principal))\n      return true\n',
    '',
    'worker/strangers',
  ],
  [
    'a question has another chat to go to',
    'durable-objects/principal/powers.ts',
    'noticeSinks(settings.bot.channel) : []',
    '[] : []',
    'worker/telegram',
  ],
  [
    'a clock set back opens a new minute',
    'durable-objects/rate-window.ts',
    'Math.abs(now - known.since)',
    'now - known.since',
    MEMORY,
  ],
]

const DEVICES_TS = 'durable-objects/registry/devices.ts'
const PAIRING_TS = 'durable-objects/registry/devices.ts'
const MAC_TS = 'kernel/tunnel/pairing.ts'
const MAC = '[side, host, edgeKey, deviceKey, nonce]'
const PAIRING = 'home/pairing'

/** How a device comes and goes. */
const ENROLMENT: readonly LinkGuard[] = [
  [
    'only the enrolled are admitted',
    DEVICES_TS,
    'active().some(({ id }) => id === signed.device)',
    'true',
    DEVICES,
  ],
  [
    'a nonce counts once',
    DEVICES_TS,
    "if (kv.get(key) !== undefined) return err('event_stale')",
    '',
    ATTACKS,
  ],
  ['a nonce is kept while its date is good', DEVICES_TS, 'NONCE_LIFE = 600', 'NONCE_LIFE = 10', MEMORY],
  ['configured devices can be revoked', DEVICES_TS, 'configured.filter(isActive)', 'configured', DEVICES],
  ['no more than so many devices', DEVICES_TS, 'others.length >= MAX_DEVICES', 'false', MEMORY],
  ['a code: ten minutes', PAIRING_TS, 'stored.expiresAt > now()', 'true', DEVICES],
  ['a code: five tries', PAIRING_TS, 'code.tries >= MAX_TRIES', 'false', DEVICES],
  ['a code: tries are counted', PAIRING_TS, 'code.tries + 1', 'code.tries', DEVICES],
  ['a code: must be known', PAIRING_TS, '!sameMac(expected, hexToBytes(mac))', 'false', DEVICES],
  ['a code: one device', PAIRING_TS, 'code.usedBy !== deviceId(publicKey) || !again', '!again', DEVICES],
  ['a code: not for who was revoked', PAIRING_TS, ' || !again', '', DEVICES],
  ['the first code: once', PAIRING_TS, 'if (isFirst(code)) kv.put(FIRST_USED, code.key)', '', PAIRING],
  [
    'the first code: ends with another’s device',
    PAIRING_TS,
    'isFirst(stored) && stored.usedBy === null',
    'false',
    PAIRING,
  ],
  [
    'the first code: ten minutes from its use',
    PAIRING_TS,
    'Math.min(code.expiresAt, now() + CODE_LIFE)',
    'code.expiresAt',
    PAIRING,
  ],
  ['a mac is of its side', MAC_TS, MAC, '[host, edgeKey, deviceKey, nonce]', DEVICES],
  ['a mac is of the host', MAC_TS, MAC, '[side, edgeKey, deviceKey, nonce]', DEVICES],
  ['a mac is of the edge’s key', MAC_TS, MAC, '[side, host, deviceKey, nonce]', DEVICES],
  ['a mac is of the device’s key', MAC_TS, MAC, '[side, host, edgeKey, nonce]', DEVICES],
  ['a mac is of the nonce', MAC_TS, MAC, '[side, host, edgeKey, deviceKey]', DEVICES],
  ['attempts to pair up to a rate', 'worker/devices.ts', 'if (!mayTry(Date.now()))', 'if (false)', DEVICES],
  [
    'one writer of the copies',
    'durable-objects/registry/recovery.ts',
    'devices.active().some(({ id }) => id === writer)',
    'false',
    COPIES,
  ],
  [
    'a new home shuts the former out',
    'durable-objects/registry/recovery.ts',
    ' && devices.revoke(former)',
    '',
    COPIES,
  ],
  [
    'revoking closes the tunnel',
    'durable-objects/registry/kernel.ts',
    'await this.env.TUNNEL.getByName(TUNNEL_NAME).disconnect(id)',
    '',
    DEVICES,
  ],
  [
    'a new home’s tunnel alone',
    'durable-objects/registry/recovery.ts',
    'if (revoked !== null) await disconnect(revoked)',
    '',
    COPIES,
  ],
  [
    'words for recovery: each signature once',
    'durable-objects/registry/recovery.ts',
    'const spent = devices.spend(signed)',
    'const spent = ok(true)',
    COPIES,
  ],
  [
    'another version is told once',
    'durable-objects/registry/home-watch.ts',
    'const known = kv.get<Met>(INCOMPATIBLE)',
    'const known = undefined as Met | undefined',
    'worker/home-watch',
  ],
  [
    'a zone that there is',
    'durable-objects/registry/profile.ts',
    'if (!isTimezone(profile.timezone))',
    'if (false)',
    TUNNEL,
  ],
  [
    'a locked edge gives no key for secrets',
    'durable-objects/registry/kernel.ts',
    "if (this.#register.isLocked()) return err('edge_locked')\n    return this.#sealKey",
    'return this.#sealKey',
    'worker/lock',
  ],
  [
    'refusals are written up to a rate',
    'durable-objects/registry/audit.ts',
    'if (isLine) note',
    'if (isLine || facts) note',
    ATTACKS,
  ],
]

export const DEVICE_GUARDS: readonly LinkGuard[] = [...SIGNATURES, ...ENROLMENT]
