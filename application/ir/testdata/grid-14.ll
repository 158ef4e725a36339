; ModuleID = '/tmp/foresee-ir-1174155501.work/raw.ll'
source_filename = "grid.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Grid = type { double*, double*, i32 }
%class.anon = type { %struct.Grid* }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind uwtable
define dso_local void @_Z6smoothR4Grid(%struct.Grid* nocapture noundef nonnull readonly align 8 dereferenceable(24) %0) local_unnamed_addr #0 !dbg !16 {
  call void @llvm.dbg.value(metadata %struct.Grid* %0, metadata !28, metadata !DIExpression()), !dbg !29
  %2 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 2, !dbg !30
  %3 = load i32, i32* %2, align 8, !dbg !30, !tbaa !31
  call void @llvm.dbg.value(metadata %struct.Grid* %0, metadata !37, metadata !DIExpression()), !dbg !50
  call void @llvm.dbg.value(metadata i32 %3, metadata !45, metadata !DIExpression(DW_OP_constu, 2, DW_OP_minus, DW_OP_stack_value)), !dbg !50
  call void @llvm.dbg.value(metadata i32 0, metadata !46, metadata !DIExpression()), !dbg !52
  %4 = icmp sgt i32 %3, 2, !dbg !53
  br i1 %4, label %.lr.ph.i, label %"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit", !dbg !55

.lr.ph.i:                                         ; preds = %1
  %5 = add nsw i32 %3, -2, !dbg !56
  call void @llvm.dbg.value(metadata i32 %5, metadata !45, metadata !DIExpression()), !dbg !50
  %6 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 0
  %7 = load double*, double** %6, align 8, !tbaa !57
  %8 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 1
  %9 = load double*, double** %8, align 8, !tbaa !58
  %wide.trip.count.i = zext i32 %5 to i64, !dbg !53
  br label %10, !dbg !55

10:                                               ; preds = %10, %.lr.ph.i
  %indvars.iv.i = phi i64 [ 0, %.lr.ph.i ], [ %indvars.iv.next.i, %10 ]
  call void @llvm.dbg.value(metadata i64 %indvars.iv.i, metadata !46, metadata !DIExpression()), !dbg !52
  call void @llvm.dbg.value(metadata %class.anon* undef, metadata !59, metadata !DIExpression()), !dbg !72
  call void @llvm.dbg.value(metadata i64 %indvars.iv.i, metadata !70, metadata !DIExpression()), !dbg !72
  %11 = getelementptr inbounds double, double* %7, i64 %indvars.iv.i, !dbg !74
  %12 = load double, double* %11, align 8, !dbg !74, !tbaa !75
  %13 = add nuw nsw i64 %indvars.iv.i, 2, !dbg !77
  %14 = getelementptr inbounds double, double* %7, i64 %13, !dbg !78
  %15 = load double, double* %14, align 8, !dbg !78, !tbaa !75
  %16 = fadd double %12, %15, !dbg !79
  %17 = fmul double %16, 0.000000e+00, !dbg !80
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1, !dbg !81
  %18 = getelementptr inbounds double, double* %9, i64 %indvars.iv.next.i, !dbg !82
  store double %17, double* %18, align 8, !dbg !83, !tbaa !75
  call void @llvm.dbg.value(metadata i64 %indvars.iv.next.i, metadata !46, metadata !DIExpression()), !dbg !52
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i, !dbg !53
  br i1 %exitcond.not.i, label %"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit", label %10, !dbg !55, !llvm.loop !84

"_Z4eachIZ6smoothR4GridE3$_0EviT_.exit":          ; preds = %10, %1
  ret void, !dbg !87
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind uwtable
define dso_local void @_Z5lowerR4Gridi(%struct.Grid* nocapture noundef nonnull readonly align 8 dereferenceable(24) %0, i32 noundef %1) local_unnamed_addr #0 !dbg !88 {
  call void @llvm.dbg.value(metadata %struct.Grid* %0, metadata !92, metadata !DIExpression()), !dbg !99
  call void @llvm.dbg.value(metadata i32 %1, metadata !93, metadata !DIExpression()), !dbg !99
  call void @llvm.dbg.value(metadata i32 0, metadata !94, metadata !DIExpression()), !dbg !100
  %3 = icmp sgt i32 %1, 0, !dbg !101
  br i1 %3, label %.preheader.lr.ph, label %._crit_edge, !dbg !102

.preheader.lr.ph:                                 ; preds = %2
  %4 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 0
  %5 = load double*, double** %4, align 8, !tbaa !57
  %6 = zext i32 %1 to i64, !dbg !102
  %wide.trip.count = zext i32 %1 to i64, !dbg !101
  br label %.preheader, !dbg !102

.preheader:                                       ; preds = %.preheader.lr.ph, %8
  %indvars.iv17 = phi i64 [ 0, %.preheader.lr.ph ], [ %indvars.iv.next18, %8 ]
  call void @llvm.dbg.value(metadata i64 %indvars.iv17, metadata !94, metadata !DIExpression()), !dbg !100
  %7 = mul nsw i64 %indvars.iv17, %6
  call void @llvm.dbg.value(metadata i32 0, metadata !96, metadata !DIExpression()), !dbg !103
  br label %9, !dbg !104

._crit_edge:                                      ; preds = %8, %2
  ret void, !dbg !105

8:                                                ; preds = %9
  %indvars.iv.next18 = add nuw nsw i64 %indvars.iv17, 1, !dbg !106
  call void @llvm.dbg.value(metadata i64 %indvars.iv.next18, metadata !94, metadata !DIExpression()), !dbg !100
  %exitcond.not = icmp eq i64 %indvars.iv.next18, %wide.trip.count, !dbg !101
  br i1 %exitcond.not, label %._crit_edge, label %.preheader, !dbg !102, !llvm.loop !107

9:                                                ; preds = %.preheader, %9
  %indvars.iv = phi i64 [ 0, %.preheader ], [ %indvars.iv.next, %9 ]
  call void @llvm.dbg.value(metadata i64 %indvars.iv, metadata !96, metadata !DIExpression()), !dbg !103
  %10 = add nuw nsw i64 %indvars.iv, %7, !dbg !109
  %11 = getelementptr inbounds double, double* %5, i64 %10, !dbg !111
  %12 = load double, double* %11, align 8, !dbg !112, !tbaa !75
  %13 = fadd double %12, 1.000000e+00, !dbg !112
  store double %13, double* %11, align 8, !dbg !112, !tbaa !75
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 2, !dbg !113
  call void @llvm.dbg.value(metadata i64 %indvars.iv.next, metadata !96, metadata !DIExpression()), !dbg !103
  %.not = icmp ugt i64 %indvars.iv.next, %indvars.iv17, !dbg !114
  br i1 %.not, label %8, label %9, !dbg !104, !llvm.loop !115
}

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind uwtable
define dso_local void @_Z4pickR4GridPKi(%struct.Grid* nocapture noundef nonnull readonly align 8 dereferenceable(24) %0, i32* nocapture noundef readonly %1) local_unnamed_addr #0 !dbg !117 {
  call void @llvm.dbg.value(metadata %struct.Grid* %0, metadata !123, metadata !DIExpression()), !dbg !127
  call void @llvm.dbg.value(metadata i32* %1, metadata !124, metadata !DIExpression()), !dbg !127
  call void @llvm.dbg.value(metadata i32 0, metadata !125, metadata !DIExpression()), !dbg !128
  %3 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 2
  %4 = load i32, i32* %3, align 8, !tbaa !31
  call void @llvm.dbg.value(metadata i32 0, metadata !125, metadata !DIExpression()), !dbg !128
  %5 = icmp sgt i32 %4, 0, !dbg !129
  br i1 %5, label %.lr.ph, label %._crit_edge, !dbg !131

.lr.ph:                                           ; preds = %2
  %6 = getelementptr inbounds %struct.Grid, %struct.Grid* %0, i64 0, i32 0
  %7 = load double*, double** %6, align 8, !tbaa !57
  %wide.trip.count = zext i32 %4 to i64, !dbg !129
  br label %8, !dbg !131

._crit_edge:                                      ; preds = %8, %2
  ret void, !dbg !132

8:                                                ; preds = %.lr.ph, %8
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %8 ]
  call void @llvm.dbg.value(metadata i64 %indvars.iv, metadata !125, metadata !DIExpression()), !dbg !128
  %9 = getelementptr inbounds i32, i32* %1, i64 %indvars.iv, !dbg !133
  %10 = load i32, i32* %9, align 4, !dbg !133, !tbaa !134
  %11 = sext i32 %10 to i64, !dbg !135
  %12 = getelementptr inbounds double, double* %7, i64 %11, !dbg !135
  store double 0.000000e+00, double* %12, align 8, !dbg !136, !tbaa !75
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !137
  call void @llvm.dbg.value(metadata i64 %indvars.iv.next, metadata !125, metadata !DIExpression()), !dbg !128
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !129
  br i1 %exitcond.not, label %._crit_edge, label %8, !dbg !131, !llvm.loop !138
}

; Function Attrs: mustprogress norecurse uwtable
define dso_local noundef i32 @main() local_unnamed_addr #3 !dbg !140 {
  %1 = alloca %struct.Grid, align 8
  %2 = bitcast %struct.Grid* %1 to i8*, !dbg !147
  call void @llvm.lifetime.start.p0i8(i64 24, i8* nonnull %2) #7, !dbg !147
  call void @llvm.dbg.declare(metadata %struct.Grid* %1, metadata !144, metadata !DIExpression()), !dbg !148
  %3 = tail call noalias noundef nonnull dereferenceable(3200) i8* @_Znam(i64 noundef 3200) #8, !dbg !149, !heapallocsite !6
  %4 = bitcast %struct.Grid* %1 to i8**, !dbg !150
  store i8* %3, i8** %4, align 8, !dbg !150, !tbaa !57
  %5 = getelementptr inbounds %struct.Grid, %struct.Grid* %1, i64 0, i32 1, !dbg !150
  %6 = tail call noalias noundef nonnull dereferenceable(3200) i8* @_Znam(i64 noundef 3200) #8, !dbg !151, !heapallocsite !6
  %7 = bitcast double** %5 to i8**, !dbg !150
  store i8* %6, i8** %7, align 8, !dbg !150, !tbaa !58
  %8 = getelementptr inbounds %struct.Grid, %struct.Grid* %1, i64 0, i32 2, !dbg !150
  store i32 400, i32* %8, align 8, !dbg !150, !tbaa !31
  %9 = tail call noalias noundef nonnull dereferenceable(1600) i8* @_Znam(i64 noundef 1600) #8, !dbg !152, !heapallocsite !26
  %10 = bitcast i8* %9 to i32*, !dbg !152
  tail call void @llvm.memset.p0i8.i64(i8* noundef nonnull align 4 dereferenceable(1600) %9, i8 0, i64 1600, i1 false), !dbg !152
  call void @llvm.dbg.value(metadata i32* %10, metadata !145, metadata !DIExpression()), !dbg !153
  call void @_Z6smoothR4Grid(%struct.Grid* noundef nonnull align 8 dereferenceable(24) %1), !dbg !154
  call void @_Z5lowerR4Gridi(%struct.Grid* noundef nonnull align 8 dereferenceable(24) %1, i32 noundef 20), !dbg !155
  call void @_Z4pickR4GridPKi(%struct.Grid* noundef nonnull align 8 dereferenceable(24) %1, i32* noundef nonnull %10), !dbg !156
  %11 = bitcast i8* %3 to double*, !dbg !157
  %12 = getelementptr inbounds double, double* %11, i64 3, !dbg !158
  %13 = load double, double* %12, align 8, !dbg !158, !tbaa !75
  %14 = fcmp ogt double %13, 1.000000e+00, !dbg !159
  %15 = zext i1 %14 to i32, !dbg !158
  call void @llvm.lifetime.end.p0i8(i64 24, i8* nonnull %2) #7, !dbg !160
  ret i32 %15, !dbg !161
}

; Function Attrs: nobuiltin allocsize(0)
declare noundef nonnull i8* @_Znam(i64 noundef) local_unnamed_addr #4

; Function Attrs: argmemonly mustprogress nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #5

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #6

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { argmemonly mustprogress nofree nosync nounwind willreturn }
attributes #3 = { mustprogress norecurse uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nobuiltin allocsize(0) "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { argmemonly mustprogress nofree nounwind willreturn writeonly }
attributes #6 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #7 = { nounwind }
attributes #8 = { builtin allocsize(0) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9, !10, !11, !12, !13, !14}
!llvm.ident = !{!15}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !2, splitDebugInlining: false, nameTableKind: None)
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
!12 = !{i32 7, !"PIC Level", i32 2}
!13 = !{i32 7, !"PIE Level", i32 2}
!14 = !{i32 7, !"uwtable", i32 1}
!15 = !{!"Debian clang version 14.0.6"}
!16 = distinct !DISubprogram(name: "smooth", linkageName: "_Z6smoothR4Grid", scope: !1, file: !1, line: 4, type: !17, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !27)
!17 = !DISubroutineType(types: !18)
!18 = !{null, !19}
!19 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !20, size: 64)
!20 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Grid", file: !1, line: 2, size: 192, flags: DIFlagTypePassByValue, elements: !21, identifier: "_ZTS4Grid")
!21 = !{!22, !24, !25}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !20, file: !1, line: 2, baseType: !23, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !20, file: !1, line: 2, baseType: !23, size: 64, offset: 64)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !20, file: !1, line: 2, baseType: !26, size: 32, offset: 128)
!26 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!27 = !{!28}
!28 = !DILocalVariable(name: "g", arg: 1, scope: !16, file: !1, line: 4, type: !19)
!29 = !DILocation(line: 0, scope: !16)
!30 = !DILocation(line: 5, column: 12, scope: !16)
!31 = !{!32, !36, i64 16}
!32 = !{!"_ZTS4Grid", !33, i64 0, !33, i64 8, !36, i64 16}
!33 = !{!"any pointer", !34, i64 0}
!34 = !{!"omnipotent char", !35, i64 0}
!35 = !{!"Simple C++ TBAA"}
!36 = !{!"int", !34, i64 0}
!37 = !DILocalVariable(name: "f", arg: 2, scope: !38, file: !1, line: 1, type: !41)
!38 = distinct !DISubprogram(name: "each<(lambda at grid.cpp:5:19)>", linkageName: "_Z4eachIZ6smoothR4GridE3$_0EviT_", scope: !1, file: !1, line: 1, type: !39, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, templateParams: !48, retainedNodes: !44)
!39 = !DISubroutineType(types: !40)
!40 = !{null, !26, !41}
!41 = distinct !DICompositeType(tag: DW_TAG_class_type, scope: !16, file: !1, line: 5, size: 64, flags: DIFlagTypePassByValue | DIFlagNonTrivial, elements: !42)
!42 = !{!43}
!43 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !41, file: !1, line: 5, baseType: !19, size: 64)
!44 = !{!45, !37, !46}
!45 = !DILocalVariable(name: "n", arg: 1, scope: !38, file: !1, line: 1, type: !26)
!46 = !DILocalVariable(name: "i", scope: !47, file: !1, line: 1, type: !26)
!47 = distinct !DILexicalBlock(scope: !38, file: !1, line: 1, column: 44)
!48 = !{!49}
!49 = !DITemplateTypeParameter(name: "F", type: !41)
!50 = !DILocation(line: 0, scope: !38, inlinedAt: !51)
!51 = distinct !DILocation(line: 5, column: 5, scope: !16)
!52 = !DILocation(line: 0, scope: !47, inlinedAt: !51)
!53 = !DILocation(line: 1, column: 62, scope: !54, inlinedAt: !51)
!54 = distinct !DILexicalBlock(scope: !47, file: !1, line: 1, column: 44)
!55 = !DILocation(line: 1, column: 44, scope: !47, inlinedAt: !51)
!56 = !DILocation(line: 5, column: 14, scope: !16)
!57 = !{!32, !33, i64 0}
!58 = !{!32, !33, i64 8}
!59 = !DILocalVariable(name: "this", arg: 1, scope: !60, type: !71, flags: DIFlagArtificial | DIFlagObjectPointer)
!60 = distinct !DISubprogram(name: "operator()", linkageName: "_ZZ6smoothR4GridENK3$_0clEi", scope: !41, file: !1, line: 5, type: !61, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, declaration: !65, retainedNodes: !69)
!61 = !DISubroutineType(types: !62)
!62 = !{null, !63, !26}
!63 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !64, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!64 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !41)
!65 = !DISubprogram(name: "operator()", scope: !41, file: !1, line: 5, type: !66, scopeLine: 5, flags: DIFlagPublic | DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagOptimized)
!66 = !DISubroutineType(types: !67)
!67 = !{!68, !63, !26}
!68 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "auto")
!69 = !{!59, !70}
!70 = !DILocalVariable(name: "i", arg: 2, scope: !60, file: !1, line: 5, type: !26)
!71 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !64, size: 64)
!72 = !DILocation(line: 0, scope: !60, inlinedAt: !73)
!73 = distinct !DILocation(line: 1, column: 72, scope: !54, inlinedAt: !51)
!74 = !DILocation(line: 5, column: 46, scope: !60, inlinedAt: !73)
!75 = !{!76, !76, i64 0}
!76 = !{!"double", !34, i64 0}
!77 = !DILocation(line: 5, column: 61, scope: !60, inlinedAt: !73)
!78 = !DILocation(line: 5, column: 55, scope: !60, inlinedAt: !73)
!79 = !DILocation(line: 5, column: 53, scope: !60, inlinedAt: !73)
!80 = !DILocation(line: 5, column: 67, scope: !60, inlinedAt: !73)
!81 = !DILocation(line: 5, column: 38, scope: !60, inlinedAt: !73)
!82 = !DILocation(line: 5, column: 32, scope: !60, inlinedAt: !73)
!83 = !DILocation(line: 5, column: 43, scope: !60, inlinedAt: !73)
!84 = distinct !{!84, !55, !85, !86}
!85 = !DILocation(line: 1, column: 75, scope: !47, inlinedAt: !51)
!86 = !{!"llvm.loop.mustprogress"}
!87 = !DILocation(line: 6, column: 1, scope: !16)
!88 = distinct !DISubprogram(name: "lower", linkageName: "_Z5lowerR4Gridi", scope: !1, file: !1, line: 7, type: !89, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !91)
!89 = !DISubroutineType(types: !90)
!90 = !{null, !19, !26}
!91 = !{!92, !93, !94, !96}
!92 = !DILocalVariable(name: "g", arg: 1, scope: !88, file: !1, line: 7, type: !19)
!93 = !DILocalVariable(name: "rows", arg: 2, scope: !88, file: !1, line: 7, type: !26)
!94 = !DILocalVariable(name: "i", scope: !95, file: !1, line: 8, type: !26)
!95 = distinct !DILexicalBlock(scope: !88, file: !1, line: 8, column: 5)
!96 = !DILocalVariable(name: "j", scope: !97, file: !1, line: 9, type: !26)
!97 = distinct !DILexicalBlock(scope: !98, file: !1, line: 9, column: 9)
!98 = distinct !DILexicalBlock(scope: !95, file: !1, line: 8, column: 5)
!99 = !DILocation(line: 0, scope: !88)
!100 = !DILocation(line: 0, scope: !95)
!101 = !DILocation(line: 8, column: 23, scope: !98)
!102 = !DILocation(line: 8, column: 5, scope: !95)
!103 = !DILocation(line: 0, scope: !97)
!104 = !DILocation(line: 9, column: 9, scope: !97)
!105 = !DILocation(line: 10, column: 1, scope: !88)
!106 = !DILocation(line: 8, column: 32, scope: !98)
!107 = distinct !{!107, !102, !108, !86}
!108 = !DILocation(line: 9, column: 62, scope: !95)
!109 = !DILocation(line: 9, column: 54, scope: !110)
!110 = distinct !DILexicalBlock(scope: !97, file: !1, line: 9, column: 9)
!111 = !DILocation(line: 9, column: 41, scope: !110)
!112 = !DILocation(line: 9, column: 59, scope: !110)
!113 = !DILocation(line: 9, column: 35, scope: !110)
!114 = !DILocation(line: 9, column: 27, scope: !110)
!115 = distinct !{!115, !104, !116, !86}
!116 = !DILocation(line: 9, column: 62, scope: !97)
!117 = distinct !DISubprogram(name: "pick", linkageName: "_Z4pickR4GridPKi", scope: !1, file: !1, line: 11, type: !118, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !122)
!118 = !DISubroutineType(types: !119)
!119 = !{null, !19, !120}
!120 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !121, size: 64)
!121 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !26)
!122 = !{!123, !124, !125}
!123 = !DILocalVariable(name: "g", arg: 1, scope: !117, file: !1, line: 11, type: !19)
!124 = !DILocalVariable(name: "at", arg: 2, scope: !117, file: !1, line: 11, type: !120)
!125 = !DILocalVariable(name: "i", scope: !126, file: !1, line: 12, type: !26)
!126 = distinct !DILexicalBlock(scope: !117, file: !1, line: 12, column: 5)
!127 = !DILocation(line: 0, scope: !117)
!128 = !DILocation(line: 0, scope: !126)
!129 = !DILocation(line: 12, column: 23, scope: !130)
!130 = distinct !DILexicalBlock(scope: !126, file: !1, line: 12, column: 5)
!131 = !DILocation(line: 12, column: 5, scope: !126)
!132 = !DILocation(line: 13, column: 1, scope: !117)
!133 = !DILocation(line: 12, column: 39, scope: !130)
!134 = !{!36, !36, i64 0}
!135 = !DILocation(line: 12, column: 35, scope: !130)
!136 = !DILocation(line: 12, column: 46, scope: !130)
!137 = !DILocation(line: 12, column: 31, scope: !130)
!138 = distinct !{!138, !131, !139, !86}
!139 = !DILocation(line: 12, column: 48, scope: !126)
!140 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 14, type: !141, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !143)
!141 = !DISubroutineType(types: !142)
!142 = !{!26}
!143 = !{!144, !145}
!144 = !DILocalVariable(name: "g", scope: !140, file: !1, line: 15, type: !20)
!145 = !DILocalVariable(name: "at", scope: !140, file: !1, line: 16, type: !146)
!146 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !26, size: 64)
!147 = !DILocation(line: 15, column: 5, scope: !140)
!148 = !DILocation(line: 15, column: 10, scope: !140)
!149 = !DILocation(line: 15, column: 12, scope: !140)
!150 = !DILocation(line: 15, column: 11, scope: !140)
!151 = !DILocation(line: 15, column: 29, scope: !140)
!152 = !DILocation(line: 16, column: 15, scope: !140)
!153 = !DILocation(line: 0, scope: !140)
!154 = !DILocation(line: 17, column: 5, scope: !140)
!155 = !DILocation(line: 18, column: 5, scope: !140)
!156 = !DILocation(line: 19, column: 5, scope: !140)
!157 = !DILocation(line: 20, column: 14, scope: !140)
!158 = !DILocation(line: 20, column: 12, scope: !140)
!159 = !DILocation(line: 20, column: 19, scope: !140)
!160 = !DILocation(line: 21, column: 1, scope: !140)
!161 = !DILocation(line: 20, column: 5, scope: !140)
