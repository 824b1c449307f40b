import type { Generator } from './attack.ts'
import { authors } from './authors.ts'
import { bombs } from './bombs.ts'
import { damage } from './damage.ts'
import { requests } from './requests.ts'
import { sockets } from './sockets.ts'

export const GENERATORS: readonly Generator[] = [requests, authors, bombs, sockets, damage]
