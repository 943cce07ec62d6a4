/**
 * The guards of files that the edge has home read, and of pictures that it has home's model look at, as rows of link-guards.ts (B-27, H-15): what
 * may be asked, of whom, and what comes back. Must not hold what only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const EPHEMERAL_TS = 'durable-objects/tunnel/ephemeral.ts'
const READERS_TS = 'durable-objects/principal/remote-models.ts'
const FILES_TS = 'sidecar/tunnel/tunnel-files.ts'
const HOME_FILES = 'worker/home-files'
const FILES = 'home/tunnel-files'
const FRAME = 'tunnel/frame'
const ASK_TS = 'kernel/tunnel/ask.ts'

/** Files that the edge asks home to read. */
const CARRIED: readonly LinkGuard[] = [
  ['files: home asks none here', EPHEMERAL_TS, "  'file_ask',\n", '', HOME_FILES],
  ['files: an answer to a question', EPHEMERAL_TS, 'files.take(body.told)', 'files', HOME_FILES],
  [
    'files: none larger than a frame is fetched',
    'kernel/features/files/attachments.ts',
    "powers.place === 'edge' ? MOST_AT_EDGE[kind] : undefined",
    'undefined',
    HOME_FILES,
  ],
  [
    'files: none larger than a frame leaves',
    READERS_TS,
    'bytes.length > MOST_FORWARDED',
    'false',
    HOME_FILES,
  ],
  [
    'files: reasons of a closed list',
    READERS_TS,
    "FILE_REASONS.find((known) => known === said) ?? 'tool_failed'",
    'said as ReasonCode',
    HOME_FILES,
  ],
  [
    'files: one that nobody waits for makes room',
    READERS_TS,
    '() => home.dropFile(id)',
    'async () => undefined',
    HOME_FILES,
  ],
  ['files: of a closed list of kinds', ASK_TS, 'z.enum(ASKED_KINDS)', 'name', FRAME],
  ['files: no more bytes than a frame has', ASK_TS, 'z.maxLength(MOST_BASE64), ', '', FRAME],
  [
    'files: bytes that are bytes',
    ASK_TS,
    'MOST_BASE64), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)',
    'MOST_BASE64)',
    FRAME,
  ],
  ['files: no more text than is shown', ASK_TS, '.check(z.maxLength(MOST_READ))', '', FRAME, HOME_FILES],
  [
    'files at home: of this connection',
    FILES_TS,
    "ask.epoch === own.epoch ? admit() : 'frame_fenced'",
    'admit()',
    FILES,
  ],
  ['files at home: one at a time', FILES_TS, 'busy || ', '', FILES],
  ['files at home: so many a minute', FILES_TS, ' || minute.count >= MOST_A_MINUTE', '', FILES],
  ['files at home: to who asked', FILES_TS, 'if (connection === own) own.send', 'own.send', FILES],
  ['files at home: a PDF by its bytes', FILES_TS, 'isPdf(bytes) ? ', 'true ? ', FILES],
  ['files at home: a sound by its bytes', FILES_TS, 'ending === null ? ', "ending === 'none' ? ", FILES],
  ['files at home: heard by nobody else', FILES_TS, "sound.reader.locality !== 'home'", 'false', FILES],
  ['files at home: text that is cut', FILES_TS, 'text.slice(0, MOST_READ)', 'text', FILES],
  [
    'files at home: only what the edge takes',
    FILES_TS,
    'success ? data :',
    'true ? (told as FileAnswer) :',
    FILES,
  ],
]

const SERVE_TS = 'kernel/features/models/serve-model.ts'
const ASKED_TS = 'kernel/tunnel/ask.ts'
const ANSWERED = 'models/lent'

/** Pictures that the edge has home's model look at. */
const SHOWN: readonly LinkGuard[] = [
  [
    'pictures: who looks is asked nothing else',
    SERVE_TS,
    "if (isLook !== (picture !== undefined)) return err('frame_malformed')",
    '',
    ANSWERED,
  ],
  [
    'pictures: nobody else is shown one',
    SERVE_TS,
    'isLook ? [sees?.model] : lent',
    '[sees?.model, ...lent]',
    ANSWERED,
  ],
  ['pictures: by their bytes', SERVE_TS, 'sees?.isPicture(picture) === false', 'false', ANSWERED],
  ['pictures: no larger than a frame takes', ASKED_TS, 'z.maxLength(MOST_PICTURE_TEXT), ', '', ANSWERED],
  [
    'pictures: who looks is in no chain',
    'durable-objects/principal/remote-models.ts',
    'known.filter(({ sees }) => sees !== true)',
    'known',
    ANSWERED,
  ],
]

export const FILE_GUARDS: readonly LinkGuard[] = [...CARRIED, ...SHOWN]
