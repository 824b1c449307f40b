;; Loops over bytes, 16 at a time, on a memory that the caller hands in. Assemble after a change with
;;   npx --package wabt wat2wasm src/lib/simd.wat -o src/lib/simd.wasm
(module
  (import "caller" "memory" (memory 0))

  ;; Hamming distances: for each row from $row to $rowsEnd, the bits that differ from those between $pattern and
  ;; $patternEnd, written to $out as 16-bit numbers.
  (func (export "hammingDistances")
    (param $row i32) (param $rowsEnd i32) (param $pattern i32) (param $patternEnd i32) (param $out i32)
    (local $part i32) (local $sum v128)
    loop $rows
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $part (local.get $pattern))
      loop $parts
        (v128.xor (v128.load align=1 (local.get $row)) (v128.load align=1 (local.get $part)))
        i8x16.popcnt
        i16x8.extadd_pairwise_i8x16_u
        local.get $sum
        i16x8.add
        local.set $sum
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.tee $part (i32.add (local.get $part) (i32.const 16)))
        local.get $patternEnd
        i32.lt_u
        br_if $parts
      end
      (local.set $sum (i32x4.extadd_pairwise_i16x8_s (local.get $sum)))
      local.get $out
      (i32.add
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32x4.extract_lane 2 (local.get $sum)))
        (i32x4.extract_lane 3 (local.get $sum)))
      i32.store16 align=1
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $rowsEnd)))
    end)

  ;; Inner products: for each address from $query to $queryEnd, the product of the $length signed bytes there with those
  ;; at $row, written to $out as 32-bit numbers.
  (func (export "innerProducts")
    (param $row i32) (param $length i32) (param $query i32) (param $queryEnd i32) (param $out i32)
    (local $left i32) (local $right i32) (local $last i32) (local $sum v128)
    (local.set $last (i32.add (local.get $row) (local.get $length)))
    loop $rows
      (local.set $left (local.get $row))
      (local.set $right (i32.load align=1 (local.get $query)))
      (local.set $sum (v128.const i64x2 0 0))
      loop $parts
        (i32x4.extadd_pairwise_i16x8_s
          (i16x8.extmul_low_i8x16_s (v128.load align=1 (local.get $left)) (v128.load align=1 (local.get $right))))
        local.get $sum
        i32x4.add
        local.set $sum
        (i32x4.extadd_pairwise_i16x8_s
          (i16x8.extmul_high_i8x16_s (v128.load align=1 (local.get $left)) (v128.load align=1 (local.get $right))))
        local.get $sum
        i32x4.add
        local.set $sum
        (local.set $right (i32.add (local.get $right) (i32.const 16)))
        (local.tee $left (i32.add (local.get $left) (i32.const 16)))
        local.get $last
        i32.lt_u
        br_if $parts
      end
      local.get $out
      (i32.add
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32x4.extract_lane 2 (local.get $sum)))
        (i32x4.extract_lane 3 (local.get $sum)))
      i32.store align=1
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $query (i32.add (local.get $query) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $query) (local.get $queryEnd)))
    end)
)
