; ModuleID = '/tmp/foresee-ir-2671378787.work/raw.ll'
source_filename = "grid.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Grid = type { ptr, ptr, i32 }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable
define dso_local void @_Z6smoothR4Grid(ptr nocapture noundef nonnull readonly align 8 dereferenceable(24) %0) local_unnamed_addr #0 !dbg !17 {
    #dbg_value(ptr %0, !29, !DIExpression(), !30)
  %2 = getelementptr inbounds i8, ptr %0, i64 16, !dbg !31
  %3 = load i32, ptr %2, align 8, !dbg !31, !tbaa !32
    #dbg_value(ptr %0, !38, !DIExpression(), !51)
    #dbg_value(i32 %3, !46, !DIExpression(DW_OP_constu, 2, DW_OP_minus, DW_OP_stack_value), !51)
    #dbg_value(i32 0, !47, !DIExpression(), !53)
  %4 = icmp sgt i32 %3, 2, !dbg !54
  br i1 %4, label %.lr.ph.i, label %"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit", !dbg !56

.lr.ph.i:                                         ; preds = %1
  %5 = add nsw i32 %3, -2, !dbg !57
    #dbg_value(i32 %5, !46, !DIExpression(), !51)
  %6 = load ptr, ptr %0, align 8, !tbaa !58
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8, !tbaa !59
  %invariant.gep.i = getelementptr i8, ptr %8, i64 8, !dbg !56
  %wide.trip.count.i = zext nneg i32 %5 to i64, !dbg !54
  br label %9, !dbg !56

9:                                                ; preds = %9, %.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %.lr.ph.i ], [ %indvars.iv.next.i, %9 ]
    #dbg_value(i64 %indvars.iv.i, !47, !DIExpression(), !53)
    #dbg_value(ptr undef, !60, !DIExpression(), !70)
    #dbg_value(i64 %indvars.iv.i, !68, !DIExpression(), !70)
  %10 = getelementptr inbounds double, ptr %6, i64 %indvars.iv.i, !dbg !72
  %11 = load double, ptr %10, align 8, !dbg !72, !tbaa !73
  %12 = getelementptr i8, ptr %10, i64 16, !dbg !75
  %13 = load double, ptr %12, align 8, !dbg !75, !tbaa !73
  %14 = fadd double %11, %13, !dbg !76
  %15 = fmul double %14, 0.000000e+00, !dbg !77
  %gep.i = getelementptr double, ptr %invariant.gep.i, i64 %indvars.iv.i, !dbg !78
  store double %15, ptr %gep.i, align 8, !dbg !79, !tbaa !73
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1, !dbg !80
    #dbg_value(i64 %indvars.iv.next.i, !47, !DIExpression(), !53)
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i, !dbg !54
  br i1 %exitcond.not.i, label %"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit", label %9, !dbg !56, !llvm.loop !81

"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit":          ; preds = %9, %1
  ret void, !dbg !84
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable
define dso_local void @_Z5lowerR4Gridi(ptr nocapture noundef nonnull readonly align 8 dereferenceable(24) %0, i32 noundef %1) local_unnamed_addr #0 !dbg !85 {
    #dbg_value(ptr %0, !89, !DIExpression(), !96)
    #dbg_value(i32 %1, !90, !DIExpression(), !96)
    #dbg_value(i32 0, !91, !DIExpression(), !97)
  %3 = icmp sgt i32 %1, 0, !dbg !98
  br i1 %3, label %.preheader.lr.ph, label %._crit_edge, !dbg !99

.preheader.lr.ph:                                 ; preds = %2
  %4 = load ptr, ptr %0, align 8, !tbaa !58
  %5 = zext nneg i32 %1 to i64, !dbg !99
  br label %.preheader, !dbg !99

.preheader:                                       ; preds = %.preheader.lr.ph, %7
  %indvars.iv14 = phi i64 [ 0, %.preheader.lr.ph ], [ %indvars.iv.next15, %7 ]
    #dbg_value(i64 %indvars.iv14, !91, !DIExpression(), !97)
  %6 = mul nuw nsw i64 %indvars.iv14, %5
    #dbg_value(i32 0, !93, !DIExpression(), !100)
  %invariant.gep = getelementptr inbounds double, ptr %4, i64 %6, !dbg !101
  br label %8, !dbg !101

._crit_edge:                                      ; preds = %7, %2
  ret void, !dbg !102

7:                                                ; preds = %8
  %indvars.iv.next15 = add nuw nsw i64 %indvars.iv14, 1, !dbg !103
    #dbg_value(i64 %indvars.iv.next15, !91, !DIExpression(), !97)
  %exitcond.not = icmp eq i64 %indvars.iv.next15, %5, !dbg !98
  br i1 %exitcond.not, label %._crit_edge, label %.preheader, !dbg !99, !llvm.loop !104

8:                                                ; preds = %.preheader, %8
  %indvars.iv = phi i64 [ 0, %.preheader ], [ %indvars.iv.next, %8 ]
    #dbg_value(i64 %indvars.iv, !93, !DIExpression(), !100)
  %gep = getelementptr inbounds double, ptr %invariant.gep, i64 %indvars.iv, !dbg !106
  %9 = load double, ptr %gep, align 8, !dbg !108, !tbaa !73
  %10 = fadd double %9, 1.000000e+00, !dbg !108
  store double %10, ptr %gep, align 8, !dbg !108, !tbaa !73
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 2, !dbg !109
    #dbg_value(i64 %indvars.iv.next, !93, !DIExpression(), !100)
  %.not = icmp ugt i64 %indvars.iv.next, %indvars.iv14, !dbg !110
  br i1 %.not, label %7, label %8, !dbg !101, !llvm.loop !111
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none) uwtable
define dso_local void @_Z4pickR4GridPKi(ptr nocapture noundef nonnull readonly align 8 dereferenceable(24) %0, ptr nocapture noundef readonly %1) local_unnamed_addr #2 !dbg !113 {
    #dbg_value(ptr %0, !119, !DIExpression(), !123)
    #dbg_value(ptr %1, !120, !DIExpression(), !123)
    #dbg_value(i32 0, !121, !DIExpression(), !124)
  %3 = getelementptr inbounds i8, ptr %0, i64 16
  %4 = load i32, ptr %3, align 8, !tbaa !32
    #dbg_value(i32 0, !121, !DIExpression(), !124)
  %5 = icmp sgt i32 %4, 0, !dbg !125
  br i1 %5, label %.lr.ph, label %._crit_edge, !dbg !127

.lr.ph:                                           ; preds = %2
  %6 = load ptr, ptr %0, align 8, !tbaa !58
  %wide.trip.count = zext nneg i32 %4 to i64, !dbg !125
  br label %7, !dbg !127

._crit_edge:                                      ; preds = %7, %2
  ret void, !dbg !128

7:                                                ; preds = %.lr.ph, %7
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %7 ]
    #dbg_value(i64 %indvars.iv, !121, !DIExpression(), !124)
  %8 = getelementptr inbounds i32, ptr %1, i64 %indvars.iv, !dbg !129
  %9 = load i32, ptr %8, align 4, !dbg !129, !tbaa !130
  %10 = sext i32 %9 to i64, !dbg !131
  %11 = getelementptr inbounds double, ptr %6, i64 %10, !dbg !131
  store double 0.000000e+00, ptr %11, align 8, !dbg !132, !tbaa !73
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !133
    #dbg_value(i64 %indvars.iv.next, !121, !DIExpression(), !124)
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !125
  br i1 %exitcond.not, label %._crit_edge, label %7, !dbg !127, !llvm.loop !134
}

; Function Attrs: mustprogress norecurse uwtable
define dso_local noundef range(i32 0, 2) i32 @main() local_unnamed_addr #3 !dbg !136 {
  %1 = alloca %struct.Grid, align 8, !DIAssignID !143
    #dbg_assign(i1 undef, !140, !DIExpression(), !143, ptr %1, !DIExpression(), !144)
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %1) #6, !dbg !145
  %2 = tail call noalias noundef nonnull dereferenceable(3200) ptr @_Znam(i64 noundef 3200) #7, !dbg !146, !heapallocsite !6
  store ptr %2, ptr %1, align 8, !dbg !147, !tbaa !58, !DIAssignID !148
    #dbg_assign(ptr %2, !140, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !148, ptr %1, !DIExpression(), !144)
  %3 = getelementptr inbounds i8, ptr %1, i64 8, !dbg !147
  %4 = tail call noalias noundef nonnull dereferenceable(3200) ptr @_Znam(i64 noundef 3200) #7, !dbg !149, !heapallocsite !6
  store ptr %4, ptr %3, align 8, !dbg !147, !tbaa !59, !DIAssignID !150
    #dbg_assign(ptr %4, !140, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !150, ptr %3, !DIExpression(), !144)
  %5 = getelementptr inbounds i8, ptr %1, i64 16, !dbg !147
  store i32 400, ptr %5, align 8, !dbg !147, !tbaa !32, !DIAssignID !151
    #dbg_assign(i32 400, !140, !DIExpression(DW_OP_LLVM_fragment, 128, 32), !151, ptr %5, !DIExpression(), !144)
  %6 = tail call noalias noundef nonnull dereferenceable(1600) ptr @_Znam(i64 noundef 1600) #7, !dbg !152, !heapallocsite !27
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(1600) %6, i8 0, i64 1600, i1 false), !dbg !152
    #dbg_value(ptr %6, !141, !DIExpression(), !144)
  call void @_Z6smoothR4Grid(ptr noundef nonnull align 8 dereferenceable(24) %1), !dbg !153
  call void @_Z5lowerR4Gridi(ptr noundef nonnull align 8 dereferenceable(24) %1, i32 noundef 20), !dbg !154
  call void @_Z4pickR4GridPKi(ptr noundef nonnull align 8 dereferenceable(24) %1, ptr noundef nonnull %6), !dbg !155
  %7 = getelementptr inbounds i8, ptr %2, i64 24, !dbg !156
  %8 = load double, ptr %7, align 8, !dbg !156, !tbaa !73
  %9 = fcmp ogt double %8, 1.000000e+00, !dbg !157
  %10 = zext i1 %9 to i32, !dbg !156
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %1) #6, !dbg !158
  ret i32 %10, !dbg !159
}

; Function Attrs: nobuiltin allocsize(0)
declare noundef nonnull ptr @_Znam(i64 noundef) local_unnamed_addr #4

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #5

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress norecurse uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nobuiltin allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nounwind }
attributes #7 = { builtin allocsize(0) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9, !10, !11, !12, !13, !14, !15}
!llvm.ident = !{!16}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "grid.cpp", directory: "/src", checksumkind: CSK_MD5, checksum: "87ab705f7718265fdd2a7bbd8d7bb24d")
!2 = !{!3}
!3 = !DIGlobalVariableExpression(var: !4, expr: !DIExpression())
!4 = distinct !DIGlobalVariable(name: "table", linkageName: "_ZL5table", scope: !0, file: !1, line: 3, type: !5, isLocal: true, isDefinition: true)
!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 4096, elements: !7)
!6 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!7 = !{!8}
!8 = !DISubrange(count: 64)
!9 = !{i32 7, !"Dwarf Version", i32 5}
!10 = !{i32 2, !"Debug Info Version", i32 3}
!11 = !{i32 1, !"wchar_size", i32 4}
!12 = !{i32 8, !"PIC Level", i32 2}
!13 = !{i32 7, !"PIE Level", i32 2}
!14 = !{i32 7, !"uwtable", i32 2}
!15 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!16 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!17 = distinct !DISubprogram(name: "smooth", linkageName: "_Z6smoothR4Grid", scope: !1, file: !1, line: 4, type: !18, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !28)
!18 = !DISubroutineType(types: !19)
!19 = !{null, !20}
!20 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !21, size: 64)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Grid", file: !1, line: 2, size: 192, flags: DIFlagTypePassByValue, elements: !22, identifier: "_ZTS4Grid")
!22 = !{!23, !25, !26}
!23 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !21, file: !1, line: 2, baseType: !24, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !21, file: !1, line: 2, baseType: !24, size: 64, offset: 64)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !21, file: !1, line: 2, baseType: !27, size: 32, offset: 128)
!27 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!28 = !{!29}
!29 = !DILocalVariable(name: "g", arg: 1, scope: !17, file: !1, line: 4, type: !20)
!30 = !DILocation(line: 0, scope: !17)
!31 = !DILocation(line: 5, column: 12, scope: !17)
!32 = !{!33, !37, i64 16}
!33 = !{!"_ZTS4Grid", !34, i64 0, !34, i64 8, !37, i64 16}
!34 = !{!"any pointer", !35, i64 0}
!35 = !{!"omnipotent char", !36, i64 0}
!36 = !{!"Simple C++ TBAA"}
!37 = !{!"int", !35, i64 0}
!38 = !DILocalVariable(name: "f", arg: 2, scope: !39, file: !1, line: 1, type: !42)
!39 = distinct !DISubprogram(name: "each<(lambda at grid.cpp:5:19)>", linkageName: "_Z4eachIZ6smoothR4GridE3$_0EviT_", scope: !1, file: !1, line: 1, type: !40, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, templateParams: !49, retainedNodes: !45)
!40 = !DISubroutineType(types: !41)
!41 = !{null, !27, !42}
!42 = distinct !DICompositeType(tag: DW_TAG_class_type, scope: !17, file: !1, line: 5, size: 64, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !43)
!43 = !{!44}
!44 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !42, file: !1, line: 5, baseType: !20, size: 64)
!45 = !{!46, !38, !47}
!46 = !DILocalVariable(name: "n", arg: 1, scope: !39, file: !1, line: 1, type: !27)
!47 = !DILocalVariable(name: "i", scope: !48, file: !1, line: 1, type: !27)
!48 = distinct !DILexicalBlock(scope: !39, file: !1, line: 1, column: 44)
!49 = !{!50}
!50 = !DITemplateTypeParameter(name: "F", type: !42)
!51 = !DILocation(line: 0, scope: !39, inlinedAt: !52)
!52 = distinct !DILocation(line: 5, column: 5, scope: !17)
!53 = !DILocation(line: 0, scope: !48, inlinedAt: !52)
!54 = !DILocation(line: 1, column: 62, scope: !55, inlinedAt: !52)
!55 = distinct !DILexicalBlock(scope: !48, file: !1, line: 1, column: 44)
!56 = !DILocation(line: 1, column: 44, scope: !48, inlinedAt: !52)
!57 = !DILocation(line: 5, column: 14, scope: !17)
!58 = !{!33, !34, i64 0}
!59 = !{!33, !34, i64 8}
!60 = !DILocalVariable(name: "this", arg: 1, scope: !61, type: !69, flags: DIFlagArtificial | DIFlagObjectPointer)
!61 = distinct !DISubprogram(name: "operator()", linkageName: "_ZZ6smoothR4GridENK3$_0clEi", scope: !42, file: !1, line: 5, type: !62, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, declaration: !66, retainedNodes: !67)
!62 = !DISubroutineType(types: !63)
!63 = !{null, !64, !27}
!64 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !65, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!65 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !42)
!66 = !DISubprogram(name: "operator()", scope: !42, file: !1, line: 5, type: !62, scopeLine: 5, flags: DIFlagPublic | DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagOptimized)
!67 = !{!60, !68}
!68 = !DILocalVariable(name: "i", arg: 2, scope: !61, file: !1, line: 5, type: !27)
!69 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !65, size: 64)
!70 = !DILocation(line: 0, scope: !61, inlinedAt: !71)
!71 = distinct !DILocation(line: 1, column: 72, scope: !55, inlinedAt: !52)
!72 = !DILocation(line: 5, column: 46, scope: !61, inlinedAt: !71)
!73 = !{!74, !74, i64 0}
!74 = !{!"double", !35, i64 0}
!75 = !DILocation(line: 5, column: 55, scope: !61, inlinedAt: !71)
!76 = !DILocation(line: 5, column: 53, scope: !61, inlinedAt: !71)
!77 = !DILocation(line: 5, column: 67, scope: !61, inlinedAt: !71)
!78 = !DILocation(line: 5, column: 32, scope: !61, inlinedAt: !71)
!79 = !DILocation(line: 5, column: 43, scope: !61, inlinedAt: !71)
!80 = !DILocation(line: 1, column: 68, scope: !55, inlinedAt: !52)
!81 = distinct !{!81, !56, !82, !83}
!82 = !DILocation(line: 1, column: 75, scope: !48, inlinedAt: !52)
!83 = !{!"llvm.loop.mustprogress"}
!84 = !DILocation(line: 6, column: 1, scope: !17)
!85 = distinct !DISubprogram(name: "lower", linkageName: "_Z5lowerR4Gridi", scope: !1, file: !1, line: 7, type: !86, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !88)
!86 = !DISubroutineType(types: !87)
!87 = !{null, !20, !27}
!88 = !{!89, !90, !91, !93}
!89 = !DILocalVariable(name: "g", arg: 1, scope: !85, file: !1, line: 7, type: !20)
!90 = !DILocalVariable(name: "rows", arg: 2, scope: !85, file: !1, line: 7, type: !27)
!91 = !DILocalVariable(name: "i", scope: !92, file: !1, line: 8, type: !27)
!92 = distinct !DILexicalBlock(scope: !85, file: !1, line: 8, column: 5)
!93 = !DILocalVariable(name: "j", scope: !94, file: !1, line: 9, type: !27)
!94 = distinct !DILexicalBlock(scope: !95, file: !1, line: 9, column: 9)
!95 = distinct !DILexicalBlock(scope: !92, file: !1, line: 8, column: 5)
!96 = !DILocation(line: 0, scope: !85)
!97 = !DILocation(line: 0, scope: !92)
!98 = !DILocation(line: 8, column: 23, scope: !95)
!99 = !DILocation(line: 8, column: 5, scope: !92)
!100 = !DILocation(line: 0, scope: !94)
!101 = !DILocation(line: 9, column: 9, scope: !94)
!102 = !DILocation(line: 10, column: 1, scope: !85)
!103 = !DILocation(line: 8, column: 32, scope: !95)
!104 = distinct !{!104, !99, !105, !83}
!105 = !DILocation(line: 9, column: 62, scope: !92)
!106 = !DILocation(line: 9, column: 41, scope: !107)
!107 = distinct !DILexicalBlock(scope: !94, file: !1, line: 9, column: 9)
!108 = !DILocation(line: 9, column: 59, scope: !107)
!109 = !DILocation(line: 9, column: 35, scope: !107)
!110 = !DILocation(line: 9, column: 27, scope: !107)
!111 = distinct !{!111, !101, !112, !83}
!112 = !DILocation(line: 9, column: 62, scope: !94)
!113 = distinct !DISubprogram(name: "pick", linkageName: "_Z4pickR4GridPKi", scope: !1, file: !1, line: 11, type: !114, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !118)
!114 = !DISubroutineType(types: !115)
!115 = !{null, !20, !116}
!116 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !117, size: 64)
!117 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !27)
!118 = !{!119, !120, !121}
!119 = !DILocalVariable(name: "g", arg: 1, scope: !113, file: !1, line: 11, type: !20)
!120 = !DILocalVariable(name: "at", arg: 2, scope: !113, file: !1, line: 11, type: !116)
!121 = !DILocalVariable(name: "i", scope: !122, file: !1, line: 12, type: !27)
!122 = distinct !DILexicalBlock(scope: !113, file: !1, line: 12, column: 5)
!123 = !DILocation(line: 0, scope: !113)
!124 = !DILocation(line: 0, scope: !122)
!125 = !DILocation(line: 12, column: 23, scope: !126)
!126 = distinct !DILexicalBlock(scope: !122, file: !1, line: 12, column: 5)
!127 = !DILocation(line: 12, column: 5, scope: !122)
!128 = !DILocation(line: 13, column: 1, scope: !113)
!129 = !DILocation(line: 12, column: 39, scope: !126)
!130 = !{!37, !37, i64 0}
!131 = !DILocation(line: 12, column: 35, scope: !126)
!132 = !DILocation(line: 12, column: 46, scope: !126)
!133 = !DILocation(line: 12, column: 31, scope: !126)
!134 = distinct !{!134, !127, !135, !83}
!135 = !DILocation(line: 12, column: 48, scope: !122)
!136 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 14, type: !137, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !139)
!137 = !DISubroutineType(types: !138)
!138 = !{!27}
!139 = !{!140, !141}
!140 = !DILocalVariable(name: "g", scope: !136, file: !1, line: 15, type: !21)
!141 = !DILocalVariable(name: "at", scope: !136, file: !1, line: 16, type: !142)
!142 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 64)
!143 = distinct !DIAssignID()
!144 = !DILocation(line: 0, scope: !136)
!145 = !DILocation(line: 15, column: 5, scope: !136)
!146 = !DILocation(line: 15, column: 12, scope: !136)
!147 = !DILocation(line: 15, column: 11, scope: !136)
!148 = distinct !DIAssignID()
!149 = !DILocation(line: 15, column: 29, scope: !136)
!150 = distinct !DIAssignID()
!151 = distinct !DIAssignID()
!152 = !DILocation(line: 16, column: 15, scope: !136)
!153 = !DILocation(line: 17, column: 5, scope: !136)
!154 = !DILocation(line: 18, column: 5, scope: !136)
!155 = !DILocation(line: 19, column: 5, scope: !136)
!156 = !DILocation(line: 20, column: 12, scope: !136)
!157 = !DILocation(line: 20, column: 19, scope: !136)
!158 = !DILocation(line: 21, column: 1, scope: !136)
!159 = !DILocation(line: 20, column: 5, scope: !136)
