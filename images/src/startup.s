// Startup of the sample firmware on a Cortex-M4: vector table, memory, then Swift.
// The linker script says where everything lies.

    .syntax unified
    .cpu cortex-m4
    .thumb

    .section .vectors, "a", %progbits
    .global vector_table
vector_table:
    .word   stack_top           // initial stack pointer
    .word   reset_handler       // 1 reset
    .word   halt                // 2 NMI
    .word   halt                // 3 hard fault
    .word   halt                // 4 memory management fault
    .word   halt                // 5 bus fault
    .word   halt                // 6 usage fault
    .word   0, 0, 0, 0          // 7 to 10 are reserved
    .word   halt                // 11 SVCall
    .word   halt                // 12 debug monitor
    .word   0                   // 13 is reserved
    .word   halt                // 14 PendSV
    .word   halt                // 15 SysTick

    .section .text.reset_handler, "ax", %progbits
    .global reset_handler
    .type   reset_handler, %function
    .thumb_func
reset_handler:
    // A bootloader may have left its own table in VTOR (0xE000ED08).
    ldr     r0, =0xE000ED08
    ldr     r1, =vector_table
    str     r1, [r0]

    // Copy the initial values of variables to RAM.
    ldr     r0, =data_start
    ldr     r1, =data_end
    ldr     r2, =data_load
1:  cmp     r0, r1
    bhs     2f
    ldr     r3, [r2], #4
    str     r3, [r0], #4
    b       1b

    // Clear the other variables.
2:  ldr     r0, =bss_start
    ldr     r1, =bss_end
    movs    r2, #0
3:  cmp     r0, r1
    bhs     4f
    str     r2, [r0], #4
    b       3b

4:  bl      sample_main
    // Nothing comes back from there; if it does, stop.
    .global halt
    .type   halt, %function
    .thumb_func
halt:
    wfi
    b       halt

    // Swift has no way to take the address of a linker symbol, so these two hand them out.
    .section .text.image_bounds, "ax", %progbits
    .global image_bounds_start
    .type   image_bounds_start, %function
    .thumb_func
image_bounds_start:
    ldr     r0, =vector_table
    bx      lr

    .global image_bounds_end
    .type   image_bounds_end, %function
    .thumb_func
image_bounds_end:
    ldr     r0, =image_end
    bx      lr
