; ModuleID = 'x.i'
source_filename = "x.i"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.P = type { i32, double, [3 x i16] }

@A = internal global [16 x double] zeroinitializer, align 16

define dso_local double @f(%struct.P* %0, i64 %1, double* %2) !dbg !10 {
  %4 = getelementptr inbounds %struct.P, %struct.P* %0, i64 %1, i32 1
  %5 = load double, double* %4, align 8, !dbg !12, !tbaa !9
  %6 = load double, double* getelementptr inbounds ([16 x double], [16 x double]* @A, i64 0, i64 3), align 8, !dbg !12
  br label %7

7:                                                ; preds = %7, %3
  %8 = phi i64 [ 0, %3 ], [ %14, %7 ]
  %9 = phi double [ %5, %3 ], [ %12, %7 ]
  %10 = getelementptr double, double* %2, i64 %8
  %11 = load double, double* %10, align 8, !dbg !13
  %12 = fadd double %9, %11, !dbg !13
  %13 = fmul double %12, %6
  store double %13, double* %10, align 8, !dbg !13
  %14 = add nuw nsw i64 %8, 1
  %15 = icmp eq i64 %14, %1
  br i1 %15, label %16, label %7, !dbg !14

16:                                               ; preds = %7
  %17 = bitcast double* %2 to i8*
  call void @llvm.memset.p0i8.i64(i8* noundef nonnull align 8 dereferenceable(80) %17, i8 0, i64 80, i1 false), !dbg !14
  %18 = call double @exp(double %12) #3, !dbg !14
  %19 = call double @g(double %18), !dbg !14
  %20 = bitcast double* %2 to i64*
  %21 = atomicrmw add i64* %20, i64 1 seq_cst, align 8
  ret double %19
}

declare double @exp(double)

declare double @g(double)

declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "test", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "x.c", directory: "/")
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !{!"double", !8, i64 0}
!8 = !{!"root"}
!9 = !{!7, !7, i64 0}
!10 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !5, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = distinct !DILexicalBlock(scope: !10, file: !1, line: 4, column: 3)
!12 = !DILocation(line: 4, column: 7, scope: !11)
!13 = !DILocation(line: 5, column: 7, scope: !11)
!14 = !DILocation(line: 6, column: 1, scope: !10)
