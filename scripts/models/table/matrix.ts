/** Row after row. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

export function matrix(columns: number, values: Float32Array): Matrix {
  return { rows: values.length / columns, columns, values }
}

/** Iterations after which the components no longer change the results. */
const ITERATIONS = 60

/**
 * The rows in the directions in which they differ most, by orthogonal iteration.
 * @param isCentered less their mean; otherwise their products with each other are kept as well as possible
 */
export function principalComponents(given: Matrix, count: number, isCentered: boolean): Matrix {
  const { rows, columns } = given
  if (count > columns) throw new Error(`${columns} columns have no ${count} principal components.`)
  const values = isCentered ? lessMean(given) : given.values
  const products = productsOfColumns({ rows, columns, values })
  let directions = Float64Array.from({ length: count * columns }, (_, i) => Math.sin(1 + i * i))
  for (let i = 0; i < ITERATIONS; i++) directions = orthogonal(times(directions, products, columns), columns)
  const result = new Float32Array(rows * count)
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < count; c++) {
      let sum = 0
      for (let d = 0; d < columns; d++) sum += values[row * columns + d]! * directions[c * columns + d]!
      result[row * count + c] = sum
    }
  }
  return { rows, columns: count, values: result }
}

function lessMean({ rows, columns, values }: Matrix): Float32Array {
  const mean = new Float64Array(columns)
  for (let i = 0; i < values.length; i++) mean[i % columns]! += values[i]! / rows
  return values.map((value, i) => value - mean[i % columns]!)
}

function productsOfColumns({ rows, columns, values }: Matrix): Float64Array {
  const products = new Float64Array(columns * columns)
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    for (let a = 0; a < columns; a++) {
      const value = values[start + a]!
      if (value === 0) continue
      for (let b = a; b < columns; b++) products[a * columns + b]! += value * values[start + b]!
    }
  }
  for (let a = 0; a < columns; a++) for (let b = 0; b < a; b++) products[a * columns + b] = products[b * columns + a]!
  return products
}

function times(vectors: Float64Array, square: Float64Array, columns: number): Float64Array {
  const result = new Float64Array(vectors.length)
  for (let start = 0; start < vectors.length; start += columns) {
    for (let d = 0; d < columns; d++) {
      const value = vectors[start + d]!
      for (let e = 0; e < columns; e++) result[start + e]! += value * square[d * columns + e]!
    }
  }
  return result
}

/** The vectors with length 1 and at right angles (Gram-Schmidt). */
function orthogonal(vectors: Float64Array, columns: number): Float64Array<ArrayBuffer> {
  const result = Float64Array.from(vectors)
  for (let start = 0; start < result.length; start += columns) {
    const own = result.subarray(start, start + columns)
    for (let before = 0; before < start; before += columns) {
      const share = dot(own, result.subarray(before, before + columns))
      for (let d = 0; d < columns; d++) own[d]! -= share * result[before + d]!
    }
    const length = Math.sqrt(dot(own, own))
    for (let d = 0; d < columns; d++) own[d]! /= length
  }
  return result
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}

/** Texts by their pieces, with the vectors that the means of their rows should have. */
export interface Lesson {
  readonly ids: readonly (readonly number[])[]
  readonly targets: Float32Array
}

/** Steps of conjugate gradients; the error hardly falls after them. */
const STEPS = 30

/**
 * Rows near the given ones whose means over the pieces of a text are near its target: ridge regression by conjugate
 * gradients, all columns at once.
 * @param ridge how much a row is held to what it was
 */
export function fitRows(start: Matrix, lessons: readonly Lesson[], ridge: number): Matrix {
  const { rows, columns } = start
  const values = Float32Array.from(start.values)
  const residual = new Float32Array(values.length)
  for (const { ids, targets } of lessons) {
    addErrors(ids, values, columns, residual, (text, d) => targets[text * columns + d]!)
  }
  const direction = Float32Array.from(residual)
  let size = squares(residual, columns)
  for (let step = 0; step < STEPS; step++) {
    const product = direction.map((value) => ridge * value)
    for (const { ids } of lessons) addErrors(ids, direction, columns, product, undefined)
    const along = new Float64Array(columns)
    for (let i = 0; i < direction.length; i++) along[i % columns]! += direction[i]! * product[i]!
    for (let i = 0; i < values.length; i++) {
      const share = ratio(size[i % columns]!, along[i % columns]!)
      values[i]! += share * direction[i]!
      residual[i]! -= share * product[i]!
    }
    const next = squares(residual, columns)
    for (let i = 0; i < direction.length; i++) {
      direction[i] = residual[i]! + ratio(next[i % columns]!, size[i % columns]!) * direction[i]!
    }
    size = next
  }
  return { rows, columns, values }
}

/** 0 for a column that is fitted already, such as one that is zero in all vectors of the teacher. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** Adds to each piece its share of what the texts' means lack to their targets; without targets, of the means themselves. */
function addErrors(
  texts: Lesson['ids'],
  values: Float32Array,
  columns: number,
  sum: Float32Array,
  target: ((text: number, column: number) => number) | undefined,
): void {
  const mean = new Float32Array(columns)
  for (const [text, ids] of texts.entries()) {
    mean.fill(0)
    for (const id of ids) for (let d = 0; d < columns; d++) mean[d]! += values[id * columns + d]! / ids.length
    if (target !== undefined) for (let d = 0; d < columns; d++) mean[d] = target(text, d) - mean[d]!
    for (const id of ids) for (let d = 0; d < columns; d++) sum[id * columns + d]! += mean[d]! / ids.length
  }
}

function squares(values: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(columns)
  for (let i = 0; i < values.length; i++) sums[i % columns]! += values[i]! * values[i]!
  return sums
}
