/** Trains the tagger of parts in a thread of its own, beside the planner's tables. Must not write. Called by scripts/train.ts. */
import { parentPort } from 'node:worker_threads'
import { trainedParts } from './parts.ts'
import { wordsOfTable } from './table.ts'

parentPort?.postMessage(trainedParts(wordsOfTable()))
